"""Model profiles: which models may draft a plan, and which of them are configured."""

import asyncio
import time
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.resources import files

from planloom.core.errors import ModelProfilesUnavailable
from planloom.models.chats import chats
from planloom.models.endpoint import Endpoint
from planloom.models.language_model import LanguageModel
from planloom.models.model import Model
from planloom.models.prices import price_list
from planloom.models.profile import ModelProfile, Profile, Provider
from planloom.models.providers import Providers

PROVIDER_CLASS: dict[Provider, str] = {
    "outline": "Outline",
    "openai": "OpenAI",
    "openrouter": "OpenRouter",
    "bedrock": "Bedrock",
}
DEFAULT_PROFILE: ModelProfile = "baseline"

#: A plan of 10,000 words has about 14,000 tokens; the reasoning of the model counts too.
WHOLE_PLAN_TOKENS = 24_000

#: Seconds for which the configuration is cached: a key that is added later is found without a new deployment.
LOOKED_FOR = 300.0


@cache
def all_profiles() -> dict[ModelProfile, Profile]:
    """Return every profile with all its models, configured or not, in the order of the file."""
    table = tomllib.loads((files(__package__) / "profiles.toml").read_text(encoding="utf-8"))
    return {name: Profile.model_validate(entry) for name, entry in table.items()}  # type: ignore[misc]


class Models:
    """The models that are configured in this deployment, by profile. No model is called to find out.

    *look* returns the configuration; it is called at most every ``LOOKED_FOR`` seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint | None = None,
        look: Callable[[], Providers] | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        configured = Providers(endpoint=endpoint or Endpoint())
        self._look = look or (lambda: configured)
        self._monotonic = monotonic
        self._cached: tuple[float, Providers] | None = None
        self._models: dict[ModelProfile, tuple[asyncio.AbstractEventLoop, Providers, LanguageModel]] = {}

    def available(self) -> dict[ModelProfile, Profile]:
        """Return the profiles that have an available model, in the order of the file."""
        return {name: found for name in all_profiles() if (found := self._configured(name)).models}

    def unavailable(self) -> dict[ModelProfile, str]:
        """Return for each other profile what must be configured."""
        return {name: self._reason(name) for name in all_profiles() if not self._configured(name).models}

    def missing(self, profile: ModelProfile) -> dict[str, str]:
        """Return the models of *profile* that cannot be called, by key, with the reason."""
        providers = self.providers()
        return {e.key: why for e in all_profiles()[profile].models if (why := providers.lacks(e))}

    def names(self, profile: ModelProfile) -> tuple[str, ...]:
        """Return the available models of *profile*, in the order in which they are called.

        Raises ModelProfilesUnavailable if there is none.
        """
        return tuple(entry.model for entry in self._available(profile).models)

    def priced_first(self, profile: ModelProfile) -> tuple[str, str]:
        """Return the name of the price list ("" if none is known) and of the model that is called first.

        Raises ModelProfilesUnavailable if there is no model.
        """
        first, providers = self._available(profile).models[0], self.providers()
        urls = {"openai": providers.endpoint.url, "openrouter": providers.openrouter.url}
        return price_list(urls[first.provider]) if first.provider in urls else first.provider, first.model

    def outline_only(self, profile: ModelProfile) -> bool:
        """Return whether *profile* drafts with the outline, without a language model."""
        models = self._configured(profile).models
        return bool(models) and all(entry.provider == "outline" for entry in models)

    def language_profile(self) -> ModelProfile | None:
        """Return the default profile where it has a language model, else the first that has one; None without any."""
        names = sorted(self.available(), key=lambda name: name != DEFAULT_PROFILE)
        return next((name for name in names if not self.outline_only(name)), None)

    def long_answers(self, profile: ModelProfile) -> bool:
        """Return whether the model that is called first can write a whole plan in one answer."""
        models = self._configured(profile).models
        return bool(models) and models[0].max_tokens >= WHOLE_PLAN_TOKENS

    def model(self, profile: ModelProfile) -> Model:
        """Return the models of *profile* as one model, for the running event loop.

        Raises ModelProfilesUnavailable if there is no language model.
        """
        found = self._available(profile)
        if self.outline_only(profile):
            raise ModelProfilesUnavailable(
                f"The profile '{profile}' drafts with the outline here, without a language model. "
                "Call model_profiles to see which models are not configured."
            )
        loop, providers = asyncio.get_running_loop(), self.providers()
        cached = self._models.get(profile)
        # a client that is bound to a closed loop fails on its second use
        if cached is None or cached[0] is not loop or cached[1] != providers:
            cached = self._models[profile] = (loop, providers, _language_model(found, providers))
        return cached[2]

    async def close(self) -> None:
        """Close the connections to all providers."""
        models, self._models = self._models, {}
        for _, _, model in models.values():
            await model.close()

    def providers(self) -> Providers:
        """Return the configured providers, at most ``LOOKED_FOR`` seconds old."""
        now = self._monotonic()
        if self._cached is None or now - self._cached[0] >= LOOKED_FOR:
            self._cached = (now, self._look())
        return self._cached[1]

    def _available(self, profile: ModelProfile) -> Profile:
        found = self._configured(profile)
        if not found.models:
            others = ", ".join(self.available()) or "none"
            raise ModelProfilesUnavailable(
                f"No model of the profile '{profile}' is available here: {self._reason(profile)}. "
                f"Available profiles: {others}. Call model_profiles and create the plan with one of those."
            )
        return found

    def _configured(self, profile: ModelProfile) -> Profile:
        whole, providers = all_profiles()[profile], self.providers()
        entries = [found for entry in whole.models if (found := providers.available(entry))]
        # the outline is used only if no language model is configured, never after one failed
        language_models = [entry for entry in entries if entry.provider != "outline"]
        own = providers.endpoint if any(entry.provider == "openai" for entry in language_models) else Endpoint()
        concurrency = own.bounds().get("concurrency", whole.concurrency)
        return whole.model_copy(update={"models": tuple(language_models or entries), "concurrency": concurrency})

    def _reason(self, profile: ModelProfile) -> str:
        return "; ".join(dict.fromkeys(self.missing(profile).values()))


def _language_model(profile: Profile, providers: Providers) -> LanguageModel:
    return LanguageModel(chats(profile, providers), profile.concurrency)
