"""The ways to serve a pattern and to store an entity, one module each.

A new plan is a module here that makes one value of `plan` (FormPlan, PlacePlan or VariantPlan) with what applies to it,
its line in `registry`, its test in tests/architect/plans and its page in docs/architect.
"""
