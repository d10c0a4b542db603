"""Answers whose fields are written in camelCase, as the specification of implementation plans has them."""

from typing import Any

from pydantic import ConfigDict
from pydantic.alias_generators import to_camel

from planloom.api.answers import AnswerModel


class CamelModel(AnswerModel):
    """``plan_id`` in our code is ``planId`` on the wire, both ways."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True)


JsonObject = dict[str, Any]
