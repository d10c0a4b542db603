"""The outside world behind the ports: DynamoDB, S3, Step Functions, EventBridge, Secrets Manager."""
