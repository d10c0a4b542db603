"""What goes wrong with a value says where and why, never what it was: a traceback goes into the log."""

import pytest
from pydantic import BaseModel, ValidationError

from planloom.planes.strategic.endpoints.create import PlanCreated
from planloom.planes.strategic.kept_answer import KeptAnswer
from planloom.planes.strategic.stages.pipeline import PIPELINE


@pytest.mark.parametrize("model", [KeptAnswer, PlanCreated, PIPELINE[1].result], ids=lambda model: model.__name__)
def test_the_error_of_a_value_quotes_nothing_of_it(model: type[BaseModel]) -> None:
    with pytest.raises(ValidationError) as wrong:
        model.model_validate(dict.fromkeys(model.model_fields, object()) | {"secret": "words of a prompt"})
    with pytest.raises(ValidationError) as cut:
        model.model_validate_json('{"note": "words of a prompt"')
    assert "words of a prompt" not in f"{wrong.value} {cut.value}"
    assert "object object" not in str(wrong.value)
