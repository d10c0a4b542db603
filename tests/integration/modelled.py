"""Draft whole plans in memory with language models over HTTP: the real facade, a stub of the providers, no pauses."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace

from bench.stub_models import Call, StubModels
from planloom.core.usage import Usage
from planloom.models.endpoint import Endpoint
from planloom.models.profiles import Models
from planloom.models.providers import Providers
from planloom.planes.strategic.plans import Plan
from planloom.planes.strategic.progress import usage
from planloom.planes.strategic.run_errors import StageAborted
from planloom.planes.strategic.services.create_plan import create_plan
from planloom.planes.strategic.services.run_stage import run_stage
from planloom.planes.strategic.steps import StepRecord
from tests.fake_ports import PROMPT, Fakes, make_fakes
from tests.unit.models.asking import bedrock_at
from tests.unit.strategic.services.walk import deliver, in_order


@dataclass
class Modelled:
    """Ports whose profiles ``custom`` (OpenAI's wire) and ``baseline`` (Bedrock's) end at the stub."""

    stub: StubModels
    fakes: Fakes

    @classmethod
    def at(cls, stub: StubModels) -> "Modelled":
        there = Providers(
            endpoint=Endpoint(stub.url, "sk-secret", "stub-large"),
            bedrock=bedrock_at(stub.bedrock_url),
        )
        fakes = make_fakes()
        return cls(stub, replace(fakes, ports=replace(fakes.ports, models=Models(look=lambda: there))))

    def create(self, profile: str = "custom") -> Plan:
        return create_plan(self.fakes.ports.run_control, self.fakes.ports.models, "acme", PROMPT, profile)  # type: ignore[arg-type]

    def work(self, plan: Plan, stages: Iterable[str] | None = None) -> Plan:
        """Run the stages in order, up to the first that fails, and apply what they published; return the plan."""
        ports = self.fakes.ports

        async def walk() -> None:
            try:
                for name in stages or in_order():
                    await run_stage(ports.stage_ports, name, plan.plan_id, plan.run)
            finally:
                await ports.models.close()

        with suppress(StageAborted):
            asyncio.run(walk())
        deliver(self.fakes)
        self.fakes.bus.published.clear()
        return self.plan(plan)

    def resume(self, plan: Plan, stages: Iterable[str] | None = None) -> Plan:
        """Continue as a resume does: without the failure that was recorded."""
        self.fakes.plans.plans[plan.plan_id] = self.plan(plan).model_copy(update={"failure": None})
        return self.work(plan, stages)

    def plan(self, plan: Plan) -> Plan:
        found = self.fakes.plans.get(plan.plan_id)
        assert found
        return found

    def usage(self, plan: Plan) -> Usage:
        """The usage that plan_status returns."""
        return usage(self.plan(plan))

    def record(self, plan: Plan, key: str) -> StepRecord:
        content = self.fakes.files.read(plan.plan_id, f"steps/{key}.json")
        assert content
        return StepRecord.model_validate_json(content)

    def report(self, plan: Plan) -> str:
        return (self.fakes.files.read(plan.plan_id, "030-report.html") or b"").decode()


def questions(calls: Iterable[Call], *, answered: bool) -> list[str]:
    """Return what was asked in *calls*; with *answered* only where a usable answer came back."""
    return [call.asked.key for call in calls if not answered or _good(call)]


def _good(call: Call) -> bool:
    return call.status == 200 and call.fault in (None, "markup", "injection")
