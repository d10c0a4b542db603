"""Signatures of webhook messages."""

import pytest

from planloom.notifications.signing import SignatureRefused, new_secret, signed_headers, verify

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
AT = 1_614_265_330
BODY = b'{"test": 2432232314}'
HEADERS = signed_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", AT, BODY, SECRET)


def test_the_signature_is_that_of_the_standard_webhooks_example() -> None:
    assert HEADERS == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
        "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }


def test_a_receiver_accepts_what_was_signed_with_any_of_several_keys() -> None:
    other = signed_headers("msg_p5jXN8AQM9LWM0D4loKWxJek", AT, BODY, new_secret())["webhook-signature"]
    both = {name.title(): value for name, value in HEADERS.items()}
    both["Webhook-Signature"] = f"{other} {HEADERS['webhook-signature']}"
    assert verify(both, BODY, SECRET, AT + 299) == "msg_p5jXN8AQM9LWM0D4loKWxJek"


@pytest.mark.parametrize(
    ("changed", "body", "now"),
    [
        ({}, BODY + b" ", AT),
        ({}, BODY, AT + 301),
        ({}, BODY, AT - 301),
        ({"webhook-id": "another"}, BODY, AT),
        ({"webhook-timestamp": str(AT + 1)}, BODY, AT),
        ({"webhook-timestamp": "soon"}, BODY, AT),
        ({"webhook-signature": "v1,"}, BODY, AT),
        ({"webhook-signature": "ü"}, BODY, AT),
        ({"webhook-signature": signed_headers("m", AT, BODY, new_secret())["webhook-signature"]}, BODY, AT),
    ],
)
def test_a_receiver_refuses_what_was_changed_or_is_old(changed: dict[str, str], body: bytes, now: float) -> None:
    with pytest.raises(SignatureRefused):
        verify(HEADERS | changed, body, SECRET, now)
