"""The tables of a design, with their alarms, policies and scaling, for CloudFormation, CDK and Terraform."""
