"""Synthesises the stack: for AWS with ``cdk deploy``, for the embedded AWS with the context ``local``."""

from pathlib import Path

import aws_cdk as cdk
from cdk_nag import AwsSolutionsChecks

from infra.settings import StackSettings, WatchingSettings
from infra.stack import PlanloomStack
from planloom.planes.strategic.stages.pipeline import PIPELINE

STACK_NAME = "PlanloomStack"


def make_app(outdir: str | None = None, context: dict[str, object] | None = None) -> cdk.App:
    """Build the app with all checks on; *context* adds to cdk.json's, as ``-c`` does."""
    app = cdk.App(outdir=outdir, context=context, analytics_reporting=False)
    settings = StackSettings(
        bundles=Path(app.node.get_context("bundles")),
        local=bool(app.node.try_get_context("local")),
        as_deployed=bool(app.node.try_get_context("as_deployed")),
        rules=app.node.try_get_context("rules") or "none",
        watching=_watching(app),
        alarm_email=app.node.try_get_context("alarm_email"),
        bedrock=str(app.node.try_get_context("bedrock") or "global"),
    )
    PlanloomStack(app, STACK_NAME, pipeline=PIPELINE, settings=settings)
    cdk.Validations.of(app).add_plugins(AwsSolutionsChecks(app))
    return app


def _watching(app: cdk.App) -> WatchingSettings:
    usual = WatchingSettings()

    def context(name: str) -> str:
        # values of the command line are strings, those of cdk.json may be numbers
        return str(app.node.try_get_context(name) or getattr(usual, name))

    return WatchingSettings(
        stalled_minutes=float(context("stalled_minutes")),
        inactive_minutes=float(context("inactive_minutes")),
        redact=context("redact"),
        runs_at_once=int(context("runs_at_once")),
        holds=int(context("holds")),
        live_operations=int(context("live_operations")),
        ended_operations=int(context("ended_operations")),
    )


if __name__ == "__main__":
    make_app().synth()
