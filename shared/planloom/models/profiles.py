"""Model profiles: which models may draft a plan, and which of them are there."""

import asyncio
import time
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from planloom.domain.errors import ModelProfilesUnavailable
from planloom.domain.plans import ModelProfile
from planloom.models.chats import chats
from planloom.models.endpoint import Endpoint
from planloom.models.language_model import LanguageModel
from planloom.models.model import Model
from planloom.models.prices import price_list
from planloom.models.profile import Profile, Provider
from planloom.models.providers import Providers

PROVIDER_CLASS: dict[Provider, str] = {
    "outline": "Outline",
    "openai": "OpenAI",
    "openrouter": "OpenRouter",
    "bedrock": "Bedrock",
}
DEFAULT_PROFILE: ModelProfile = "baseline"

#: A plan of 10,000 words has some 14,000 tokens; what a model thinks before it writes counts too.
WHOLE_PLAN_TOKENS = 24_000

#: Seconds for which what is set up is not looked at again: a key filled in later is found without a new deployment.
LOOKED_FOR = 300.0


@cache
def all_profiles() -> dict[ModelProfile, Profile]:
    """Return every profile with every model, set up or not, in the order of the file."""
    table = tomllib.loads((files(__package__) / "profiles.toml").read_text(encoding="utf-8"))
    return {name: Profile.model_validate(entry) for name, entry in table.items()}  # type: ignore[misc]


class Models:
    """The models that this deployment can reach, by profile. Whether they are set up is looked at, not called.

    *look* says what is set up; it is asked at most every ``LOOKED_FOR`` seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint | None = None,
        look: Callable[[], Providers] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        there = Providers(endpoint=endpoint or Endpoint())
        self._look = look or (lambda: there)
        self._monotonic = monotonic
        self._looked: tuple[float, Providers] | None = None
        self._asked: dict[ModelProfile, tuple[asyncio.AbstractEventLoop, Providers, LanguageModel]] = {}

    def available(self) -> dict[ModelProfile, Profile]:
        """Return the profiles that have an available model, in the order of the file."""
        return {name: found for name in all_profiles() if (found := self._there(name)).models}

    def unavailable(self) -> dict[ModelProfile, str]:
        """Return why each of the other profiles has none: what must be set."""
        return {name: self._why_not(name) for name in all_profiles() if not self._there(name).models}

    def missing(self, profile: ModelProfile) -> dict[str, str]:
        """Return the models of *profile* that cannot be asked, by key, with what each lacks."""
        providers = self.providers()
        return {e.key: why for e in all_profiles()[profile].models if (why := providers.lacks(e))}

    def names(self, profile: ModelProfile) -> tuple[str, ...]:
        """Return the models of *profile* that are available, first the one that is asked first.

        Raises ModelProfilesUnavailable where there is none.
        """
        return tuple(entry.model for entry in self._found(profile).models)

    def priced_first(self, profile: ModelProfile) -> tuple[str, str]:
        """Return the model that is asked first, behind the list of prices that holds for it ("" where none is known).

        Raises ModelProfilesUnavailable where there is none.
        """
        first, providers = self._found(profile).models[0], self.providers()
        urls = {"openai": providers.endpoint.url, "openrouter": providers.openrouter.url}
        return price_list(urls[first.provider]) if first.provider in urls else first.provider, first.model

    def outline_only(self, profile: ModelProfile) -> bool:
        """Return whether *profile* is drafted without a language model here."""
        models = self._there(profile).models
        return bool(models) and all(entry.provider == "outline" for entry in models)

    def long_answers(self, profile: ModelProfile) -> bool:
        """Return whether the model that is asked first can write a whole plan in one answer."""
        models = self._there(profile).models
        return bool(models) and models[0].max_tokens >= WHOLE_PLAN_TOKENS

    def model(self, profile: ModelProfile) -> Model:
        """Return the model that answers for *profile*, for the running event loop.

        Raises ModelProfilesUnavailable where there is none, an outline is none.
        """
        found = self._found(profile)
        if self.outline_only(profile):
            raise ModelProfilesUnavailable(f"The profile '{profile}' drafts outlines here, without a language model.")
        loop, providers = asyncio.get_running_loop(), self.providers()
        kept = self._asked.get(profile)
        # a client that is bound to a closed loop fails on its second use
        if kept is None or kept[0] is not loop or kept[1] != providers:
            kept = self._asked[profile] = (loop, providers, _language_model(found, providers))
        return kept[2]

    async def close(self) -> None:
        """Hang up on every provider."""
        asked, self._asked = self._asked, {}
        for _, _, model in asked.values():
            await model.close()

    def providers(self) -> Providers:
        """Return what is set up, as last looked at."""
        now = self._monotonic()
        if self._looked is None or now - self._looked[0] >= LOOKED_FOR:
            self._looked = (now, self._look())
        return self._looked[1]

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
        whole, providers = all_profiles()[profile], self.providers()
        there = [found for entry in whole.models if (found := providers.available(entry))]
        # the outline drafts where nothing else can: it never stands in for a model that failed
        asked = [entry for entry in there if entry.provider != "outline"]
        own = providers.endpoint if any(entry.provider == "openai" for entry in asked) else Endpoint()
        concurrency = own.bounds().get("concurrency", whole.concurrency)
        return whole.model_copy(update={"models": tuple(asked or there), "concurrency": concurrency})

    def _why_not(self, profile: ModelProfile) -> str:
        return "; ".join(dict.fromkeys(self.missing(profile).values()))


def _language_model(profile: Profile, providers: Providers) -> LanguageModel:
    return LanguageModel(chats(profile, providers), profile.concurrency)
