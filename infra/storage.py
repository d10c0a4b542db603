"""The bucket, which is the source of truth, the table, which is a view of it, and grants for both."""

import aws_cdk as cdk
from aws_cdk import Stack
from aws_cdk import aws_dynamodb as dynamodb
from aws_cdk import aws_iam as iam
from aws_cdk import aws_s3 as s3
from constructs import Construct

from infra.acknowledge import acknowledge
from infra.python_function import PythonFunction
from infra.settings import StackSettings
from planloom.adapters import table_keys as keys

#: The actions that the adapters use; a transaction needs the permissions of its parts.
READ_ITEMS = ["dynamodb:GetItem", "dynamodb:Query"]
WRITE_ITEMS = ["dynamodb:PutItem", "dynamodb:UpdateItem", "dynamodb:DeleteItem", "dynamodb:ConditionCheckItem"]

#: Stages may not delete: a file is replaced by its next version.
READ_AND_WRITE_FILES = ["s3:GetObject", "s3:PutObject"]
#: Only for plans that are deleted permanently, with all versions of their files.
DELETE_FILES = ["s3:DeleteObject", "s3:DeleteObjectVersion"]
FILES = "plans/*"
EXAMPLES = "examples/*"
READINGS = "facts/*"
FEEDBACK = "feedback/*"
IMPLEMENTATION_PLANS = "implementation-plans/*"
RUNS = "runs/*"
GRAPHS = "graphs/*"
CATALOGS = "tool-servers/*"
WORKFLOWS = "workflows/*"
WORKFLOW_SPECS = "workflow-specs/*"
EARLIER_VERSIONS_KEPT = cdk.Duration.days(90)
#: Readings of plan_facts: the goal and its facts.
READINGS_KEPT = cdk.Duration.days(30)


class Storage(Construct):
    """The table and the bucket."""

    def __init__(self, scope: Construct, name: str, settings: StackSettings) -> None:
        super().__init__(scope, name)
        self.table = dynamodb.TableV2(
            self,
            "Table",
            partition_key=_text(keys.PARTITION_KEY),
            sort_key=_text(keys.SORT_KEY),
            billing=dynamodb.Billing.on_demand(),
            global_secondary_indexes=[
                dynamodb.GlobalSecondaryIndexPropsV2(
                    index_name=keys.INDEX,
                    partition_key=_text(keys.INDEX_PARTITION_KEY),
                    sort_key=_text(keys.INDEX_SORT_KEY),
                )
            ],
            point_in_time_recovery_specification=dynamodb.PointInTimeRecoverySpecification(
                point_in_time_recovery_enabled=True
            ),
            time_to_live_attribute=keys.EXPIRES,
            deletion_protection=not settings.local,
            removal_policy=settings.removal,
        )
        self.bucket = s3.Bucket(
            self,
            "Bucket",
            block_public_access=s3.BlockPublicAccess.BLOCK_ALL,
            encryption=s3.BucketEncryption.S3_MANAGED,
            enforce_ssl=True,
            versioned=True,
            lifecycle_rules=[
                s3.LifecycleRule(
                    # during this time edits can be undone and earlier versions read
                    noncurrent_version_expiration=EARLIER_VERSIONS_KEPT,
                    expired_object_delete_marker=True,
                    abort_incomplete_multipart_upload_after=cdk.Duration.days(7),
                ),
                s3.LifecycleRule(
                    prefix=READINGS.removesuffix("*"),
                    expiration=READINGS_KEPT,
                    noncurrent_version_expiration=cdk.Duration.days(1),
                ),
            ],
            # from the viewer, content is sent to a signed link; the origin of the viewer depends on this bucket
            cors=[
                s3.CorsRule(
                    allowed_methods=[s3.HttpMethods.PUT], allowed_origins=["*"], allowed_headers=["content-type"]
                )
            ],
            removal_policy=settings.removal,
        )
        acknowledge(
            self.bucket,
            "AwsSolutions-S1",
            "Only Lambdas have access to the bucket, and they log their calls; access logs would add nothing",
        )

    def grant_keys(self, function: PythonFunction) -> None:
        """Let *function* read items by key, and record the day of their last use."""
        self._grant(function, ["dynamodb:GetItem", "dynamodb:UpdateItem"], self.table.table_arn)

    def grant_view(self, function: PythonFunction) -> None:
        """Let *function* read and write items."""
        self._grant(function, READ_ITEMS + WRITE_ITEMS, self.table.table_arn)

    def grant_lists(self, function: PythonFunction) -> None:
        """Let *function* list the plans of an account, and read those that were made for it."""
        self._grant(function, ["dynamodb:BatchGetItem"], self.table.table_arn)
        self.grant_index(function)

    def grant_index(self, function: PythonFunction) -> None:
        """Let *function* read the index that lists what an account has."""
        self._grant(function, ["dynamodb:Query"], f"{self.table.table_arn}/index/{keys.INDEX}")

    def grant_versions(self, function: PythonFunction) -> None:
        """Let *function* read earlier versions of the files of plans."""
        self._grant(function, ["s3:GetObjectVersion"], self.bucket.arn_for_objects(FILES))
        self._grant(function, ["s3:ListBucketVersions"], self.bucket.bucket_arn)

    def grant_truth(self, function: PythonFunction) -> None:
        """Let *function* read, write and list the files of plans."""
        self._grant(function, READ_AND_WRITE_FILES, self.bucket.arn_for_objects(FILES))
        # Without the permission to list, S3 answers 403 if a file does not exist
        self._grant(function, ["s3:ListBucket"], self.bucket.bucket_arn)
        self._acknowledge_all_of(function, FILES, "The files of all plans, and nothing else in the bucket")

    def grant_implementation_plans(self, function: PythonFunction) -> None:
        """Let *function* read and write the revisions of implementation plans."""
        self._grant(function, READ_AND_WRITE_FILES, self.bucket.arn_for_objects(IMPLEMENTATION_PLANS))
        self._acknowledge_all_of(function, IMPLEMENTATION_PLANS, "All implementation plans, of every account")

    def grant_runs(self, function: PythonFunction) -> None:
        """Let *function* read, write and list the files of runs, and read the tools of servers."""
        self._grant(function, READ_AND_WRITE_FILES, self.bucket.arn_for_objects(RUNS))
        self._acknowledge_all_of(function, RUNS, "The runs of every account")
        self._grant(function, ["s3:GetObject"], self.bucket.arn_for_objects(CATALOGS))
        self._acknowledge_all_of(function, CATALOGS, "The tools of every account's servers")
        self._grant(function, ["s3:ListBucket"], self.bucket.bucket_arn)

    def grant_workflows(self, function: PythonFunction, *, delete: bool = False) -> None:
        """Let *function*, which has the runs, read and write runs of workflows, and erase them where *delete*."""
        actions = READ_AND_WRITE_FILES + (DELETE_FILES if delete else [])
        for prefix in (WORKFLOWS, WORKFLOW_SPECS):
            self._grant(function, actions, self.bucket.arn_for_objects(prefix))
            self._acknowledge_all_of(function, prefix, "The workflows of every account")
        if delete:
            self._grant(function, ["s3:ListBucketVersions"], self.bucket.bucket_arn)

    def grant_scheduled(self, function: PythonFunction) -> None:
        """Let *function*, which has the runs, read graphs and list the tools of servers anew."""
        self._grant(function, ["s3:GetObject"], self.bucket.arn_for_objects(GRAPHS))
        self._acknowledge_all_of(function, GRAPHS, "The graphs of every account")
        self._grant(function, ["s3:PutObject"], self.bucket.arn_for_objects(CATALOGS))

    def grant_revisions(self, function: PythonFunction) -> None:
        """Let *function* store revisions of graphs."""
        self._grant(function, ["s3:PutObject"], self.bucket.arn_for_objects(GRAPHS))
        self._acknowledge_all_of(function, GRAPHS, "The graphs of every account")

    def grant_graphs(self, function: PythonFunction) -> None:
        """Let *function*, which has the runs, keep and delete graphs, runs and the tools of servers."""
        self._grant(function, [*READ_AND_WRITE_FILES, "s3:DeleteObject"], self.bucket.arn_for_objects(GRAPHS))
        self._acknowledge_all_of(function, GRAPHS, "The graphs of every account")
        self._grant(function, ["s3:DeleteObject"], self.bucket.arn_for_objects(RUNS))
        self._grant(function, ["s3:PutObject"], self.bucket.arn_for_objects(CATALOGS))

    def grant_examples(self, function: PythonFunction) -> None:
        """Let *function*, which may list the bucket, read the example plans."""
        self._grant(function, ["s3:GetObject"], self.bucket.arn_for_objects(EXAMPLES))
        assert function.role is not None
        acknowledge(
            function.role,
            f"AwsSolutions-IAM5[Resource::<{self._bucket_id()}.Arn>/{EXAMPLES}]",
            "The example plans, which the operator writes",
        )

    def grant_readings(self, function: PythonFunction) -> None:
        """Let *function* read and write readings of goals."""
        self._grant(function, READ_AND_WRITE_FILES, self.bucket.arn_for_objects(READINGS))
        # without the permission to list, S3 answers 403 if a file does not exist
        self._grant(function, ["s3:ListBucket"], self.bucket.bucket_arn)
        self._acknowledge_all_of(function, READINGS, "All readings of goals, of every account")

    def grant_feedback(self, function: PythonFunction) -> None:
        """Let *function* write feedback, but not read it."""
        self._grant(function, ["s3:PutObject"], self.bucket.arn_for_objects(FEEDBACK))
        self._acknowledge_all_of(function, FEEDBACK, "Feedback of every account")

    def grant_erase(self, function: PythonFunction) -> None:
        """Let *function*, which may read and write files of plans, delete them permanently."""
        self._grant(function, DELETE_FILES, self.bucket.arn_for_objects(FILES))
        self._grant(function, ["s3:ListBucketVersions"], self.bucket.bucket_arn)

    def _grant(self, function: PythonFunction, actions: list[str], resource: str) -> None:
        iam.Grant.add_to_principal(grantee=function, actions=actions, resource_arns=[resource])

    def _acknowledge_all_of(self, function: PythonFunction, objects: str, reason: str) -> None:
        assert function.role is not None
        acknowledge(function.role, f"AwsSolutions-IAM5[Resource::<{self._bucket_id()}.Arn>/{objects}]", reason)

    def _bucket_id(self) -> str:
        bucket = self.bucket.node.default_child
        assert isinstance(bucket, s3.CfnBucket)
        return str(Stack.of(self).resolve(bucket.logical_id))


def _text(name: str) -> dynamodb.Attribute:
    return dynamodb.Attribute(name=name, type=dynamodb.AttributeType.STRING)
