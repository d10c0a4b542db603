"""Model profiles: which models may draft a plan, and which of them are there."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Literal

from planloom.domain.errors import ModelProfilesUnavailable
from planloom.domain.frozen import Frozen
from planloom.domain.plans import ModelProfile
from planloom.models.model import Model, OutlineModel

Provider = Literal["outline"]
PROVIDER_CLASS: dict[Provider, str] = {"outline": "Outline"}
DEFAULT_PROFILE: ModelProfile = "baseline"


class ModelEntry(Frozen):
    """One model of a profile."""

    key: str
    provider: Provider
    model: str


class Profile(Frozen):
    """A profile: its models in order of preference."""

    title: str
    summary: str
    models: tuple[ModelEntry, ...]


@cache
def _profiles() -> dict[ModelProfile, Profile]:
    table = tomllib.loads((files(__package__) / "profiles.toml").read_text(encoding="utf-8"))
    return {name: Profile.model_validate(entry) for name, entry in table.items()}  # type: ignore[misc]


class Models:
    """The models that this deployment can reach, by profile."""

    def available(self) -> dict[ModelProfile, Profile]:
        """Return the profiles that have an available model, in the order of the file."""
        return {name: profile for name, profile in _profiles().items() if profile.models}

    def names(self, profile: ModelProfile) -> tuple[str, ...]:
        """Return the models of *profile* that are available, first the one that is asked first.

        Raises ModelProfilesUnavailable where there is none.
        """
        found = self.available().get(profile)
        if not found:
            others = ", ".join(self.available()) or "none"
            raise ModelProfilesUnavailable(
                f"No model of the profile '{profile}' is available here. Available profiles: {others}. "
                "Call model_profiles and create the plan with one of those."
            )
        return tuple(entry.model for entry in found.models)

    def model(self, profile: ModelProfile) -> Model:
        """Return the model that answers for *profile*; raises ModelProfilesUnavailable where there is none."""
        self.names(profile)
        return OutlineModel()
