"""What exists in AWS: one stack of small constructs. Start reading at infra.stack."""
