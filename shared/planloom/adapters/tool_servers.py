"""Tool servers of accounts in the table, their catalogs in the bucket, the values of their headers in SSM."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from planloom.adapters import table_keys as keys
from planloom.adapters.dynamodb_items import item, pages, values
from planloom.tools.own import OWN, OwnTools
from planloom.tools.ports import HeaderSecrets, ToolServer, ToolServerStore
from planloom.tools.tool import Tool

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_s3 import S3Client

#: Below this path SSM keeps headers: the function's grant names it too.
PARAMETERS = "/planloom/tool-servers"


class AwsToolServerStore:
    """Keeps planloom.tools.ports.ToolServerStore on DynamoDB and S3."""

    def __init__(self, table_client: "DynamoDBClient", table: str, bucket_client: "S3Client", bucket: str) -> None:
        self._items = table_client
        self._table = table
        self._files = bucket_client
        self._bucket = bucket

    def put(self, server: ToolServer) -> None:
        row = keys.tool_server_key(server.account, server.name) | server.model_dump(mode="json")
        self._items.put_item(TableName=self._table, Item=item(row))

    def get(self, account: str, name: str) -> ToolServer | None:
        key = item(keys.tool_server_key(account, name))
        found = self._items.get_item(TableName=self._table, Key=key, ConsistentRead=True)
        return _server(values(found["Item"])) if "Item" in found else None

    def of_account(self, account: str) -> list[ToolServer]:
        rows = pages(
            self._items,
            TableName=self._table,
            KeyConditionExpression=f"{keys.PARTITION_KEY} = :p AND begins_with({keys.SORT_KEY}, :s)",
            ExpressionAttributeValues=item({":p": keys.account_partition(account), ":s": keys.TOOL_SERVERS}),
            ConsistentRead=True,
        )
        return [_server(row) for row in rows]

    def delete(self, account: str, name: str) -> None:
        self._items.delete_item(TableName=self._table, Key=item(keys.tool_server_key(account, name)))

    def put_catalog(self, account: str, tools: Sequence[Tool]) -> str:
        content = json.dumps([tool.model_dump(mode="json") for tool in tools], sort_keys=True).encode()
        key = hashlib.sha256(content).hexdigest()
        self._files.put_object(
            Bucket=self._bucket, Key=_catalog(account, key), Body=content, ContentType="application/json"
        )
        return key

    def catalog(self, account: str, key: str) -> list[Tool]:
        if not key:
            return []
        try:
            found = self._files.get_object(Bucket=self._bucket, Key=_catalog(account, key))["Body"].read()
        except self._files.exceptions.NoSuchKey:
            return []
        return [Tool.model_validate(each) for each in json.loads(found)]


class McpToolClient:
    """Keeps planloom.tools.ports.ToolClient on the MCP library, which is imported by the first call.

    *loopback* admits servers on this machine: on a laptop only.
    """

    def __init__(self, *, loopback: bool) -> None:
        self._loopback = loopback

    def check(self, url: str) -> None:
        from planloom.tools.address_guard import check_url

        asyncio.run(check_url(url, loopback=self._loopback))

    def list_tools(self, name: str, url: str, headers: Mapping[str, str], seconds: float) -> list[Tool]:
        from planloom.tools.mcp_client import HttpServer, ToolServers

        async def listed() -> list[Tool]:
            async with asyncio.timeout(seconds), ToolServers({name: HttpServer(url, headers, self._loopback)}) as tools:
                return await tools.list_tools()

        return asyncio.run(listed())


def connect_tools(
    store: ToolServerStore, secrets: HeaderSecrets, *, loopback: bool, own: OwnTools | None = None
) -> Callable[[str], AbstractAsyncContextManager[Any]]:
    """Return what opens sessions with the tool servers of an account, each at its first call; *own* is server OWN."""

    @asynccontextmanager
    async def connect(account: str) -> AsyncIterator[Any]:
        from planloom.tools.mcp_client import HttpServer, ToolServers

        servers = await asyncio.to_thread(store.of_account, account)
        headers = [await asyncio.to_thread(secrets.get, account, each.name) if each.headers else {} for each in servers]
        known = {
            server.name: HttpServer(server.url, given, loopback) for server, given in zip(servers, headers, strict=True)
        }
        async with ToolServers(known) as tools:
            yield tools if own is None else _WithOwn(tools, own, account)

    return connect


class _WithOwn:
    """Calls *own* for the server OWN, *tools* for the others."""

    def __init__(self, tools: Any, own: OwnTools, account: str) -> None:
        self._tools = tools
        self._own = own
        self._account = account

    async def execute_tool(self, name: str, args: dict[str, Any], /, server: str | None = None) -> Any:
        """Call the tool *name* of *server*."""
        if server == OWN:
            return await self._own.call(self._account, name, args)
        return await self._tools.execute_tool(name, args, **({} if server is None else {"server": server}))


def _server(row: Mapping[str, Any]) -> ToolServer:
    return ToolServer.model_validate({name: row[name] for name in ToolServer.model_fields if name in row})


def _catalog(account: str, key: str) -> str:
    return f"tool-servers/{hashlib.sha256(account.encode()).hexdigest()}/{key}.json"
