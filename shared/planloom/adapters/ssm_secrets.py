"""Small secrets of accounts in SecureStrings of SSM."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any


class SsmSecrets:
    """Implements planloom.tools.ports.HeaderSecrets and planloom.notifications.ports.WebhookSecrets, below *path*."""

    def __init__(self, client: Callable[[], Any], path: str) -> None:
        self._client = client
        self._path = path

    def put(self, account: str, name: str, values: Mapping[str, str]) -> None:
        name = _parameter(self._path, account, name)
        self._client().put_parameter(Name=name, Value=json.dumps(dict(values)), Type="SecureString", Overwrite=True)

    def get(self, account: str, name: str) -> dict[str, str]:
        client = self._client()
        try:
            found = client.get_parameter(Name=_parameter(self._path, account, name), WithDecryption=True)
        except client.exceptions.ParameterNotFound:
            return {}
        return dict(json.loads(found["Parameter"]["Value"]))

    def delete(self, account: str, name: str) -> None:
        client = self._client()
        try:
            client.delete_parameter(Name=_parameter(self._path, account, name))
        except client.exceptions.ParameterNotFound:
            return


def _parameter(path: str, account: str, name: str) -> str:
    # account names may hold what SSM does not take
    return f"{path}/{hashlib.sha256(account.encode()).hexdigest()[:40]}/{name}"
