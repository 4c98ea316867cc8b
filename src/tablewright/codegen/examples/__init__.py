"""Every access pattern with the keys of sample items filled in: PartiQL, the AWS CLI, and calls of two SDKs."""
