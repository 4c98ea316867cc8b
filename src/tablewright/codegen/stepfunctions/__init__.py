"""Access patterns as Step Functions state machines (Amazon States Language with JSONata)."""
