"""Implementations of the ports on AWS: DynamoDB, S3, Step Functions, EventBridge, Lambda, Secrets Manager."""
