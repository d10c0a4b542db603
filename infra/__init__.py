"""The resources in AWS: one CDK stack of small constructs. Start reading at infra.stack."""

from infra.node import use_bundled_node

# Before any module here imports CDK, which starts Node
use_bundled_node()
