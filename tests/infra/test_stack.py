"""What the stack promises, read from the template that CloudFormation gets."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from infra.pipeline import memory_of
from planloom.adapters import table_keys
from planloom.adapters.schedules import GROUP
from planloom.models.profiles import all_profiles
from planloom.planes.strategic.stages.pipeline import PIPELINE
from planloom.settings import DeployedModels, Settings
from tests.infra.conftest import Template, make_app, of_type

HANDLERS = {
    "api",
    "authorizer",
    "notify",
    "on_plan_event",
    "on_run_ended",
    "read_goal",
    "run_worker",
    "watchdog",
    "on_schedule",
}
#: On a laptop the gateway serves the viewer; in AWS a Lambda of CDK's puts it into a bucket on each deployment.
LOCAL_HANDLERS = {"viewer"}
UPLOADER = "CustomCDKBucketDeployment"
NO_MODEL = {stage.key for stage in PIPELINE if not stage.asks_model}
BY_POWERTOOLS = {"POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE", "POWERTOOLS_TRACE_DISABLED", "LOG_LEVEL"}


def functions(template: Template) -> list[dict[str, Any]]:
    """Return our own Lambdas: all but the one that CDK brings to put the viewer's files into their bucket."""
    found = of_type(template, "AWS::Lambda::Function")
    return [function["Properties"] for name, function in found.items() if not name.startswith(UPLOADER)]


def is_embedded(template: Template) -> bool:
    return not of_type(template, "AWS::CloudFront::Distribution")


def variables(template: Template) -> dict[str, dict[str, Any]]:
    """Return each Lambda's variables, by its service name."""
    told = [function["Environment"]["Variables"] for function in functions(template)]
    return {variables["POWERTOOLS_SERVICE_NAME"]: variables for variables in told}


def statements(template: Template, kind: str = "AWS::IAM::Policy") -> list[dict[str, Any]]:
    return [
        statement
        for name, found in of_type(template, kind).items()
        if not name.startswith(UPLOADER)
        for statement in found["Properties"]["PolicyDocument"]["Statement"]
    ]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def test_there_is_one_lambda_per_stage_and_one_per_handler(template: Template) -> None:
    stages = Counter(each["PLAN_STAGE"] for each in variables(template).values() if "PLAN_STAGE" in each)
    handlers = Counter(function["Handler"] for function in functions(template))

    assert stages == Counter(stage.name for stage in PIPELINE)
    names = HANDLERS | (LOCAL_HANDLERS if is_embedded(template) else set())
    assert handlers == {f"functions.{name}.handler.handler": 1 for name in names} | {
        "functions.stage.handler.handler": len(PIPELINE)
    }


def test_every_lambda_runs_python_on_arm_with_a_trace_and_a_log_that_ends(template: Template) -> None:
    groups = of_type(template, "AWS::Logs::LogGroup")
    for function in functions(template):
        assert (function["Runtime"], function["Architectures"]) == ("python3.13", ["arm64"])
        assert function["TracingConfig"] == {"Mode": "Active"}
        assert groups[function["LoggingConfig"]["LogGroup"]["Ref"]]["Properties"]["RetentionInDays"] > 0


def test_infra_tells_the_lambdas_what_the_settings_read_and_nothing_else(aws: Template, embedded: Template) -> None:
    known = {str(field.alias) for field in Settings.model_fields.values()}
    models = {str(field.alias) for field in DeployedModels.model_fields.values()}

    told = {name for told in variables(aws).values() for name in told}
    told_locally = {name for told in variables(embedded).values() for name in told}

    assert told == known | models | BY_POWERTOOLS - {"POWERTOOLS_TRACE_DISABLED"}
    # the environment of the embedded AWS has the number of runs at a time
    assert told_locally == (known | BY_POWERTOOLS) - {"PLANLOOM_RUNS_AT_ONCE"}


def test_only_who_needs_it_is_told_of_the_machine_the_secret_and_a_stage(template: Template) -> None:
    told = variables(template)

    assert {name for name, v in told.items() if "PLANLOOM_STATE_MACHINE" in v} == {"api", "on_run_ended", "watchdog"}
    assert {name for name, v in told.items() if "PLANLOOM_SECRET" in v} == {"api", "authorizer", "notify"}
    assert {name for name, v in told.items() if "PLAN_STAGE" in v} == {stage.name for stage in PIPELINE}


def who_may(template: Template, action: str) -> set[str]:
    """Return the functions whose policies name *action*."""
    return {
        re.sub(r"DefaultPolicy.*|Role.*", "", name)
        for name, found in of_type(template, "AWS::IAM::Policy").items()
        for statement in found["Properties"]["PolicyDocument"]["Statement"]
        if action in as_list(statement["Action"])
    }


def test_nobody_starts_runs_but_who_asks_for_them_and_who_sees_others_end(template: Template) -> None:
    assert who_may(template, "states:StartExecution") == {
        "ApiFunction",
        "OnRunEnded",
        "RunStepsOnSchedule",
        "RunStepsWorker",
        "Watchdog",
    }


def test_only_timers_start_scheduled_runs_and_only_the_api_sets_timers(template: Template) -> None:
    (group,) = of_type(template, "AWS::Scheduler::ScheduleGroup").values()
    (target,) = [each for each in of_type(template, "AWS::Lambda::Function") if each.startswith("RunStepsOnSchedule")]
    (role,) = [each for each in of_type(template, "AWS::IAM::Role") if each.startswith("RunStepsSchedulerRole")]
    api = variables(template)["api"]

    assert group["Properties"]["Name"] == GROUP
    assert api["PLANLOOM_SCHEDULE_TARGET"] == {"Fn::GetAtt": [target, "Arn"]}
    assert api["PLANLOOM_SCHEDULE_ROLE"] == {"Fn::GetAtt": [role, "Arn"]}
    for action in ("scheduler:CreateSchedule", "scheduler:DeleteSchedule", "iam:PassRole"):
        assert who_may(template, action) == {"ApiFunction"}, action


def test_a_revoked_key_works_for_a_minute_at_most(template: Template) -> None:
    authorizers = [found["Properties"] for found in of_type(template, "AWS::ApiGateway::Authorizer").values()]

    assert {found["Type"] for found in authorizers} == {"REQUEST"}
    (cached,) = [found for found in authorizers if found["AuthorizerResultTtlInSeconds"] > 0]
    assert cached["IdentitySource"] == "method.request.header.X-API-Key"
    assert cached["AuthorizerResultTtlInSeconds"] <= 60


def test_only_the_events_of_a_plan_may_be_had_with_a_ticket_and_each_request_is_checked(template: Template) -> None:
    authorizers = of_type(template, "AWS::ApiGateway::Authorizer")
    (name,) = [each for each, found in authorizers.items() if "IdentitySource" not in found["Properties"]]
    tickets = authorizers[name]["Properties"]
    methods = [found["Properties"] for found in of_type(template, "AWS::ApiGateway::Method").values()]
    guarded = [m for m in methods if m.get("AuthorizerId") == {"Ref": name}]
    events = of_type(template, "AWS::ApiGateway::Resource")[guarded[0]["ResourceId"]["Ref"]]["Properties"]

    assert tickets["AuthorizerResultTtlInSeconds"] == 0
    assert [(m["HttpMethod"], events["PathPart"]) for m in guarded] == [("GET", "events")]


def test_alarms_watch_failed_runs_dead_letters_and_the_watchdog(aws: Template) -> None:
    alarms = [found["Properties"] for found in of_type(aws, "AWS::CloudWatch::Alarm").values()]
    (topic,) = of_type(aws, "AWS::SNS::Topic")
    queues = of_type(aws, "AWS::SQS::Queue")
    dead = {name for name, found in queues.items() if "RedrivePolicy" not in found["Properties"]}

    machine = drafting_machine(aws)
    runs = {a["MetricName"]: a["Dimensions"] for a in alarms if a["Namespace"] == "AWS/States"}
    dimensions = [{"Name": "StateMachineArn", "Value": {"Ref": machine}}]
    assert runs == {"ExecutionsFailed": dimensions, "ExecutionsTimedOut": dimensions}
    watched = {d["Value"]["Fn::GetAtt"][0] for a in alarms for d in a["Dimensions"] if d["Name"] == "QueueName"}
    assert watched == dead
    assert Counter(a["MetricName"] for a in alarms if a["Namespace"] == "AWS/Lambda") == {"Errors": 1, "Invocations": 1}
    assert all(a["AlarmActions"] == [{"Ref": topic}] for a in alarms)
    assert {a["MetricName"]: a["TreatMissingData"] for a in alarms} == {
        "ExecutionsFailed": "notBreaching",
        "ExecutionsTimedOut": "notBreaching",
        "RunsGivenUp": "notBreaching",
        "DeliveriesDead": "notBreaching",
        "ApproximateNumberOfMessagesVisible": "notBreaching",
        "Errors": "notBreaching",
        "Invocations": "breaching",
    }


def test_on_a_laptop_few_calls_are_held_open_and_nobody_is_alarmed(aws: Template, embedded: Template) -> None:
    (api,) = [f for f in functions(embedded) if f["Environment"]["Variables"]["POWERTOOLS_SERVICE_NAME"] == "api"]

    held = int(api["Environment"]["Variables"]["PLANLOOM_HOLDS"])
    assert 0 < held < api["ReservedConcurrentExecutions"] - 1
    assert variables(aws)["api"]["PLANLOOM_HOLDS"] == "100"
    assert of_type(embedded, "AWS::CloudWatch::Alarm") == {}


def test_earlier_versions_of_files_are_kept_for_a_season_and_not_for_ever(template: Template) -> None:
    buckets = [found["Properties"] for found in of_type(template, "AWS::S3::Bucket").values()]
    ((rule, readings),) = [b["LifecycleConfiguration"]["Rules"] for b in buckets if "LifecycleConfiguration" in b]

    assert (readings["Prefix"], readings["ExpirationInDays"], readings["Status"]) == ("facts/", 30, "Enabled")
    assert rule["Status"] == "Enabled"
    assert 30 <= rule["NoncurrentVersionExpiration"]["NoncurrentDays"] <= 365
    assert "ExpirationInDays" not in rule


def test_every_method_but_health_and_the_viewers_files_wants_a_key(template: Template) -> None:
    resources = of_type(template, "AWS::ApiGateway::Resource")
    methods = of_type(template, "AWS::ApiGateway::Method").values()

    def path(resource: str) -> str:
        if resource not in resources:
            return ""
        found = resources[resource]["Properties"]
        return f"{path(found['ParentId'].get('Ref', ''))}/{found['PathPart']}"

    asked = {
        (m["Properties"]["HttpMethod"], path(m["Properties"]["ResourceId"].get("Ref", ""))): m["Properties"][
            "AuthorizationType"
        ]
        for m in methods
    }

    viewer = {("GET", "/app"): "NONE", ("GET", "/app/{proxy+}"): "NONE"} if is_embedded(template) else {}
    events = {("GET", "/v1/plans/{plan_id}/events"): "CUSTOM"}
    every = {("ANY", ""): "CUSTOM", ("ANY", "/{proxy+}"): "CUSTOM", ("GET", "/health"): "NONE"}
    shared = {("GET", "/shared/{token}"): "NONE"}
    shared |= {("GET", "/approve/{token}"): "NONE", ("POST", "/approve/{token}"): "NONE"}
    assert asked == every | events | viewer | shared


def refusals(template: Template) -> dict[str, tuple[str | None, dict[str, str]]]:
    """Return what the gateway answers by itself: status and error, by kind."""
    return {
        found["Properties"]["ResponseType"]: (
            found["Properties"].get("StatusCode"),
            json.loads(found["Properties"]["ResponseTemplates"]["application/json"])["error"],
        )
        for found in of_type(template, "AWS::ApiGateway::GatewayResponse").values()
    }


@pytest.mark.parametrize(("kind", "status"), [("UNAUTHORIZED", "401"), ("ACCESS_DENIED", "403")])
def test_the_gateway_says_what_to_do_about_a_missing_or_a_wrong_key(template: Template, kind: str, status: str) -> None:
    answered, error = refusals(template)[kind]
    assert answered == status
    assert "API key" in error["message"]
    assert "X-API-Key header" in error["message"]
    assert error["code"].startswith("API_KEY_")


def test_each_error_of_the_gateway_has_a_code_and_says_what_to_do(template: Template) -> None:
    answers = refusals(template)
    assert {kind: status for kind, (status, _) in answers.items()} == {
        "UNAUTHORIZED": "401",
        "ACCESS_DENIED": "403",
        "THROTTLED": "429",
        "REQUEST_TOO_LARGE": "413",
        "DEFAULT_5XX": None,
    }
    codes = [error["code"] for _, error in answers.values()]
    assert len(codes) == len(set(codes))
    # what happened, and what to do next
    assert all(len(error["message"].split(". ")) == 2 for _, error in answers.values())


def test_requests_are_throttled(template: Template) -> None:
    (stage,) = of_type(template, "AWS::ApiGateway::Stage").values()
    (settings,) = stage["Properties"]["MethodSettings"]

    assert 0 < settings["ThrottlingRateLimit"] <= settings["ThrottlingBurstLimit"] <= 200


def test_the_table_has_the_keys_that_the_adapters_build(template: Template) -> None:
    (table,) = of_type(template, "AWS::DynamoDB::GlobalTable").values()
    (index,) = table["Properties"]["GlobalSecondaryIndexes"]

    def schema(found: Template) -> list[tuple[str, str]]:
        return [(key["AttributeName"], key["KeyType"]) for key in found["KeySchema"]]

    assert table["Properties"]["BillingMode"] == "PAY_PER_REQUEST"
    assert schema(table["Properties"]) == [(table_keys.PARTITION_KEY, "HASH"), (table_keys.SORT_KEY, "RANGE")]
    assert index["IndexName"] == table_keys.INDEX
    assert schema(index) == [(table_keys.INDEX_PARTITION_KEY, "HASH"), (table_keys.INDEX_SORT_KEY, "RANGE")]


def test_the_bucket_is_private_versioned_encrypted_and_closed_to_plain_http(template: Template) -> None:
    buckets = of_type(template, "AWS::S3::Bucket")
    (plans,) = [name for name in buckets if name.startswith("Storage")]
    properties = buckets[plans]["Properties"]
    policies = of_type(template, "AWS::S3::BucketPolicy").values()
    (policy,) = [found["Properties"] for found in policies if found["Properties"]["Bucket"] == {"Ref": plans}]
    denied = [s for s in policy["PolicyDocument"]["Statement"] if s["Effect"] == "Deny"]

    assert set(properties["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(properties["PublicAccessBlockConfiguration"]) == 4
    assert properties["VersioningConfiguration"] == {"Status": "Enabled"}
    assert "BucketEncryption" in properties
    # pages of any origin may send to a signed link, and read nothing
    assert properties["CorsConfiguration"]["CorsRules"] == [
        {"AllowedHeaders": ["content-type"], "AllowedMethods": ["PUT"], "AllowedOrigins": ["*"]}
    ]
    assert [s["Condition"] for s in denied] == [{"Bool": {"aws:SecureTransport": "false"}}]


def test_plans_outlive_the_stack_in_aws_and_nothing_outlives_it_on_a_laptop(aws: Template, embedded: Template) -> None:
    for kind in ("AWS::S3::Bucket", "AWS::DynamoDB::GlobalTable"):
        assert {found["DeletionPolicy"] for found in of_type(aws, kind).values()} == {"Retain"}
    assert {found.get("DeletionPolicy", "Delete") for found in embedded["Resources"].values()} == {"Delete"}


def test_every_event_passes_a_queue_and_what_nobody_takes_is_kept(template: Template) -> None:
    queues = of_type(template, "AWS::SQS::Queue")
    mapped = [found["Properties"] for found in of_type(template, "AWS::Lambda::EventSourceMapping").values()]
    rules = [found["Properties"] for found in of_type(template, "AWS::Events::Rule").values()]
    targets = [target for rule in rules if "EventPattern" in rule for target in rule["Targets"]]
    read = {queue["EventSourceArn"]["Fn::GetAtt"][0] for queue in mapped}

    (notifications,) = [name for name in queues if name.startswith("NotificationsQueue")]
    assert {target["Arn"]["Fn::GetAtt"][0] for target in targets} == read - {notifications}
    assert all("RedrivePolicy" in queues[name]["Properties"] for name in read)
    assert all("DeadLetterConfig" in target for rule in rules for target in rule["Targets"])
    assert [queue["FunctionResponseTypes"] for queue in mapped] == [["ReportBatchItemFailures"]] * 3
    assert all(queue["ScalingConfig"]["MaximumConcurrency"] >= 2 for queue in mapped)


def test_a_batch_is_not_seen_twice_while_its_lambda_works(template: Template) -> None:
    queues = of_type(template, "AWS::SQS::Queue")
    lambdas = of_type(template, "AWS::Lambda::Function")
    for mapping in of_type(template, "AWS::Lambda::EventSourceMapping").values():
        queue = queues[mapping["Properties"]["EventSourceArn"]["Fn::GetAtt"][0]]["Properties"]
        function = lambdas[mapping["Properties"]["FunctionName"]["Ref"]]["Properties"]
        assert queue["VisibilityTimeout"] >= 6 * function["Timeout"]


def test_only_who_publishes_events_or_retries_them_queues_notifications(template: Template) -> None:
    publishers = {"ApiFunction", "NotificationsNotify", "RunStepsWorker", "Watchdog"}
    assert who_may(template, "sqs:SendMessage") == publishers
    told = variables(template)
    assert {name for name, v in told.items() if "PLANLOOM_NOTIFICATIONS" in v} == {
        "api",
        "notify",
        "run_worker",
        "watchdog",
    }


def test_secrets_of_webhooks_are_read_by_who_signs_and_written_by_the_api_alone(template: Template) -> None:
    written = {
        name
        for name, found in of_type(template, "AWS::IAM::Policy").items()
        for statement in found["Properties"]["PolicyDocument"]["Statement"]
        if "planloom/webhooks/*" in json.dumps(statement) and "ssm:PutParameter" in as_list(statement["Action"])
    }
    assert {re.sub(r"DefaultPolicy.*|Role.*", "", name) for name in written} == {"ApiFunction"}


def test_the_end_of_one_run_does_not_take_the_time_of_another(template: Template) -> None:
    mappings = [found["Properties"] for found in of_type(template, "AWS::Lambda::EventSourceMapping").values()]
    (ends,) = [each for each in mappings if "OnRunEnded" in each["FunctionName"]["Ref"]]

    assert ends["BatchSize"] == 1


def drafting_machine(template: Template) -> str:
    """Return the state machine that drafts plans; the other one works on runs."""
    (machine,) = [name for name in of_type(template, "AWS::StepFunctions::StateMachine") if name.startswith("Pipeline")]
    return machine


def test_the_end_of_a_run_is_heard_for_this_machine_and_every_way_to_end(template: Template) -> None:
    machine = drafting_machine(template)
    patterns = [
        found["Properties"].get("EventPattern", {}) for found in of_type(template, "AWS::Events::Rule").values()
    ]
    (pattern,) = [p for p in patterns if p.get("source") == ["aws.states"]]

    assert pattern["detail-type"] == ["Step Functions Execution Status Change"]
    assert pattern["detail"]["stateMachineArn"] == [{"Ref": machine}]
    assert sorted(pattern["detail"]["status"]) == ["ABORTED", "FAILED", "SUCCEEDED", "TIMED_OUT"]


def test_only_who_deletes_plans_may_delete_files_and_nobody_may_drop_the_table(template: Template) -> None:
    allowed = {action for statement in statements(template) for action in as_list(statement["Action"])}
    storage = {action for action in allowed if action.startswith(("s3:", "dynamodb:"))}

    assert storage == {
        "s3:GetObject",
        "s3:PutObject",
        "s3:ListBucket",
        "s3:GetObjectVersion",
        "s3:DeleteObject",
        "s3:DeleteObjectVersion",
        "s3:ListBucketVersions",
        "dynamodb:GetItem",
        "dynamodb:BatchGetItem",
        "dynamodb:Query",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:DeleteItem",
        "dynamodb:ConditionCheckItem",
    }
    assert who_may(template, "dynamodb:BatchGetItem") == {"ApiFunction"}
    assert who_may(template, "s3:DeleteObjectVersion") == {"ApiFunction", "Watchdog"}


def test_bytes_pass_the_gateway_as_they_are(template: Template) -> None:
    (api,) = of_type(template, "AWS::ApiGateway::RestApi").values()
    assert api["Properties"]["BinaryMediaTypes"] == ["*/*"]


def test_only_tracing_and_log_delivery_reach_every_resource(template: Template) -> None:
    wide = {
        action
        for statement in statements(template)
        if "*" in as_list(statement["Resource"])
        for action in as_list(statement["Action"])
    }

    # a call with a task's token names no machine
    assert {action.split(":")[0] for action in wide - {"states:SendTaskSuccess"}} == {"xray", "logs"}


def test_the_api_alone_starts_readings_and_a_reading_is_not_repeated(template: Template) -> None:
    (name,) = [each for each in of_type(template, "AWS::Lambda::Function") if each.startswith("GoalReader")]
    told = {each for each, found in variables(template).items() if "PLANLOOM_GOAL_READER" in found}
    (invoke,) = of_type(template, "AWS::Lambda::EventInvokeConfig").values()

    assert told == {"api"}
    assert variables(template)["api"]["PLANLOOM_GOAL_READER"] == {"Ref": name}
    may_invoke = {"ApiFunction", "PipelineMachine", "RunStepsMachine", "RunStepsScheduler", "RunStepsWorker"}
    assert who_may(template, "lambda:InvokeFunction") == may_invoke
    assert (invoke["Properties"]["FunctionName"], invoke["Properties"]["MaximumRetryAttempts"]) == ({"Ref": name}, 0)
    assert of_type(template, "AWS::Lambda::Function")[name]["Properties"]["Timeout"] == 300


def test_who_reads_goals_may_use_readings_and_models_alone(aws: Template, embedded: Template) -> None:
    for template, models in ((aws, {"bedrock:InvokeModel"}), (embedded, set())):
        (policy,) = [
            found["Properties"]["PolicyDocument"]["Statement"]
            for name, found in of_type(template, "AWS::IAM::Policy").items()
            if name.startswith("GoalReader")
        ]
        actions = {action for s in policy for action in as_list(s["Action"])}
        secret = {"secretsmanager:GetSecretValue", "secretsmanager:DescribeSecret"} if models else set()
        own = {action for action in actions if not action.startswith(("xray:", "logs:"))}
        assert own == {"s3:GetObject", "s3:PutObject", "s3:ListBucket"} | models | secret
        files = [s["Resource"] for s in policy if "s3:PutObject" in as_list(s["Action"])]
        assert [json.dumps(each).count("/facts/*") for each in files] == [1]


def stage_statements(template: Template) -> dict[str, list[dict[str, Any]]]:
    """Return what each stage may do, by its key."""
    return {
        name.removeprefix("PipelineStage")[:3]: found["Properties"]["PolicyDocument"]["Statement"]
        for name, found in of_type(template, "AWS::IAM::Policy").items()
        if name.startswith("PipelineStage")
    }


def test_a_stage_may_not_touch_runs_or_other_secrets_than_the_keys_to_models(aws: Template, embedded: Template) -> None:
    stores = {"dynamodb", "s3", "events", "logs", "xray"}
    for template, models in ((aws, {"secretsmanager"}), (embedded, set())):
        asked = {"bedrock"} if models else set()
        for key, found in stage_statements(template).items():
            services = {action.split(":")[0] for s in found for action in as_list(s["Action"])}
            assert services == stores | models | (set() if key in NO_MODEL else asked), key


def test_stages_may_invoke_the_models_of_the_profiles_and_nothing_else_of_bedrock(aws: Template) -> None:
    ours = {e.model for p in all_profiles().values() for e in p.models if e.provider == "bedrock"}
    for key, found in stage_statements(aws).items():
        bedrock = [s for s in found if any(a.startswith("bedrock:") for a in as_list(s["Action"]))]
        assert [as_list(s["Action"]) for s in bedrock] == ([] if key in NO_MODEL else [["bedrock:InvokeModel"]])
        for arn in (json.dumps(arn) for s in bedrock for arn in as_list(s["Resource"])):
            assert "*" not in arn
            assert any(arn.endswith((f'/{model}"]]}}', f'/global.{model}"]]}}')) for model in ours), arn


@pytest.fixture(scope="module")
def european_and_careless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The output of a synthesis for another geography that a careless resource stopped at its end."""
    from aws_cdk import aws_sqs as sqs

    folder = tmp_path_factory.mktemp("european")
    app = make_app(folder, False, bedrock="eu")
    sqs.Queue(app.node.find_child("PlanloomStack"), "Careless")
    with pytest.raises(RuntimeError, match="ValidationFailed"):
        app.synth()
    return folder / "cdk.out"


def test_a_geography_other_than_global_reaches_its_models_in_any_region_and_no_others(
    european_and_careless: Path,
) -> None:
    found = json.loads((european_and_careless / "PlanloomStack.template.json").read_text())

    arns = [
        json.dumps(arn)
        for s in stage_statements(found)["003"]
        if "bedrock:InvokeModel" in as_list(s["Action"])
        for arn in as_list(s["Resource"])
    ]
    assert any(":inference-profile/eu." in arn for arn in arns)
    assert all("inference-profile/eu." in arn or ":bedrock:*::foundation-model/" in arn for arn in arns)
    assert variables(found)["draft"]["PLANLOOM_BEDROCK"] == "eu"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("redact", "al"),
        ("stalled_minutes", "0"),
        ("inactive_minutes", "5"),
        ("runs_at_once", "-1"),
        ("live_operations", "-1"),
        ("bedrock", "europe"),
        ("rules", "free"),
    ],
)
def test_a_setting_that_no_lambda_could_read_or_bear_stops_the_synthesis(tmp_path: Path, name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"(?i){name}" if name != "rules" else value):
        make_app(tmp_path, False, **{name: value})


def test_the_operators_keys_are_told_by_name_alone_to_who_asks_or_lists_models(aws: Template) -> None:
    told = {name for name, v in variables(aws).items() if "PLANLOOM_MODEL_SECRET" in v}
    secret = next(s for name, s in of_type(aws, "AWS::SecretsManager::Secret").items() if name.startswith("ModelsKeys"))

    assert told == {"api", "read_goal", "run_worker"} | {stage.name for stage in PIPELINE}
    assert secret["Properties"]["SecretString"] == "{}"


def test_what_a_stage_is_deployed_with_follows_from_what_it_declares(aws: Template) -> None:
    deployed = {
        f["Environment"]["Variables"]["PLAN_STAGE"]: (f["Timeout"], f["MemorySize"])
        for f in functions(aws)
        if "PLAN_STAGE" in f["Environment"]["Variables"]
    }

    assert deployed == {stage.name: (stage.timeout_seconds, memory_of(stage)) for stage in PIPELINE}
    assert deployed["start"] == deployed["draft"] == (900, 512)
    assert deployed["schedule"] == deployed["report"] == (120, 1024)


def test_the_outputs_say_where_everything_is(aws: Template, embedded: Template) -> None:
    assert set(aws["Outputs"]) == set(embedded["Outputs"]) | {"ModelSecretArn"}
    assert set(embedded["Outputs"]) == {
        "ApiUrl",
        "ApiId",
        "TableName",
        "BucketName",
        "BusName",
        "StateMachineArn",
        "WatchdogName",
        "ViewerUrl",
    }


def test_cfn_lint_finds_nothing(paths: dict[str, Path]) -> None:
    # W3005: CDK says twice that a Lambda waits for its role
    lint = [str(Path(sys.executable).parent / "cfn-lint"), "--ignore-checks", "W3005", "--", str(paths["aws"])]

    found = subprocess.run(lint, capture_output=True, text=True, check=False)

    assert (found.returncode, found.stdout) == (0, "")


def test_a_careless_resource_stops_the_synthesis(european_and_careless: Path) -> None:
    (report,) = json.loads((european_and_careless / "validation-report.json").read_text())["pluginReports"]
    assert {found["ruleName"] for found in report["violations"]} == {"AwsSolutions-SQS3", "AwsSolutions-SQS4"}
