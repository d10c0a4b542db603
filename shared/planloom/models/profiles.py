"""Model profiles: which models may draft a plan, and which of them are there."""

import asyncio
import tomllib
from functools import cache
from importlib.resources import files

from planloom.domain.errors import ModelProfilesUnavailable
from planloom.domain.plans import ModelProfile
from planloom.models.endpoint import Endpoint
from planloom.models.language_model import LanguageModel
from planloom.models.model import Model, OutlineModel
from planloom.models.profile import ModelEntry, Profile, Provider

PROVIDER_CLASS: dict[Provider, str] = {"outline": "Outline", "openai": "OpenAI"}
DEFAULT_PROFILE: ModelProfile = "baseline"
NO_MODELS = "no model is set up for it in this version"


@cache
def _profiles() -> dict[ModelProfile, Profile]:
    table = tomllib.loads((files(__package__) / "profiles.toml").read_text(encoding="utf-8"))
    return {name: Profile.model_validate(entry) for name, entry in table.items()}  # type: ignore[misc]


class Models:
    """The models that this deployment can reach, by profile. Whether they are set up is looked at, not called."""

    def __init__(self, endpoint: Endpoint | None = None) -> None:
        self._endpoint = endpoint or Endpoint()
        self._asked: dict[ModelProfile, tuple[asyncio.AbstractEventLoop, LanguageModel]] = {}

    def available(self) -> dict[ModelProfile, Profile]:
        """Return the profiles that have an available model, in the order of the file."""
        return {name: found for name in _profiles() if (found := self._there(name)).models}

    def unavailable(self) -> dict[ModelProfile, str]:
        """Return why each of the other profiles has none: what must be set."""
        return {name: self._why_not(name) for name in _profiles() if not self._there(name).models}

    def names(self, profile: ModelProfile) -> tuple[str, ...]:
        """Return the models of *profile* that are available, first the one that is asked first.

        Raises ModelProfilesUnavailable where there is none.
        """
        return tuple(entry.model for entry in self._found(profile).models)

    def outline_only(self, profile: ModelProfile) -> bool:
        """Return whether *profile* is drafted without a language model, available or not."""
        return all(entry.provider == "outline" for entry in _profiles()[profile].models)

    def model(self, profile: ModelProfile) -> Model:
        """Return the model that answers for *profile*: outline, or a language model of the running event loop.

        Raises ModelProfilesUnavailable where there is none.
        """
        found = self._found(profile)
        if self.outline_only(profile):
            return OutlineModel()
        loop = asyncio.get_running_loop()
        kept = self._asked.get(profile)
        # a client that is bound to a closed loop fails on its second use
        if kept is None or kept[0] is not loop:
            kept = self._asked[profile] = (loop, _language_model(found, self._endpoint))
        return kept[1]

    async def close(self) -> None:
        """Hang up on every provider."""
        asked, self._asked = self._asked, {}
        for _, model in asked.values():
            await model.close()

    def _found(self, profile: ModelProfile) -> Profile:
        found = self._there(profile)
        if not found.models:
            others = ", ".join(self.available()) or "none"
            raise ModelProfilesUnavailable(
                f"No model of the profile '{profile}' is available here: {self._why_not(profile)}. "
                f"Available profiles: {others}. Call model_profiles and create the plan with one of those."
            )
        return found

    def _there(self, profile: ModelProfile) -> Profile:
        whole = _profiles()[profile]
        return whole.model_copy(update={"models": tuple(e for m in whole.models if (e := self._entry(m)))})

    def _entry(self, entry: ModelEntry) -> ModelEntry | None:
        if entry.provider == "outline":
            return entry
        return None if self._endpoint.lacks() else entry.model_copy(update={"model": self._endpoint.model})

    def _why_not(self, profile: ModelProfile) -> str:
        return (self._endpoint.lacks() or NO_MODELS) if _profiles()[profile].models else NO_MODELS


def _language_model(profile: Profile, endpoint: Endpoint) -> LanguageModel:
    # 0.6 seconds of import that the outline and all other Lambdas never pay
    from planloom.models.openai_chat import OpenAIChat

    return LanguageModel([OpenAIChat(entry, endpoint) for entry in profile.models], profile.concurrency)
