"""Tools for the examples: a small code base in memory, so that nothing is read, written or sent."""

import asyncio
from typing import Any

from planloom.tools.tool import Tool

FILES = {
    "src/auth/handler.py": "def handle_auth(request): ...\n",
    "src/app.py": "from auth.handler import handle_auth\n",
    "src/admin.py": "from auth.handler import handle_auth\n",
}


def _tool(name: str, description: str, *required: str) -> Tool:
    schema = {"type": "object", "properties": {each: {} for each in required}, "required": list(required)}
    return Tool(name=name, description=description, input_schema=schema)


class DemoTools:
    """Anything with ``execute_tool`` calls tools; ``list_tools`` lets a graph be checked before it runs."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.files = dict(FILES)
        self.seconds = seconds
        self.calls = 0
        self.broken: set[str] = set()

    def list_tools(self) -> list[Tool]:
        """Return the tools with what they take."""
        return [
            _tool("read_file", "Return the text of a file", "path"),
            _tool("search_code", "Return the paths of the files that hold a text", "query"),
            _tool("write_file", "Write a file and return its length", "path", "content"),
            _tool("run_tests", "Run the tests below a path", "path"),
        ]

    async def execute_tool(self, name: str, args: dict[str, Any], /, **_: Any) -> Any:
        """Call a tool; an MCP server would return the same content blocks."""
        self.calls += 1
        await asyncio.sleep(self.seconds)
        if name in self.broken:
            raise ConnectionError(f"{name} does not answer")
        if name == "read_file":
            return {"content": [{"type": "text", "text": self.files[args["path"]]}]}
        if name == "search_code":
            return {
                "structuredContent": {"paths": [path for path, text in self.files.items() if args["query"] in text]}
            }
        if name == "write_file":
            self.files[args["path"]] = args["content"]
            return {"structuredContent": {"written": len(args["content"])}}
        return {"structuredContent": {"passed": 8, "failed": 0}}


REFACTOR: dict[str, Any] = {
    "id": "refactor-auth-001",
    "title": "Refactor the auth module",
    "variables": {"module_path": "src/auth/handler.py"},
    "steps": [
        {
            "index": "1",
            "title": "Read auth module",
            "tool": "read_file",
            "args": {"path": "${module_path}"},
            "depends_on": [],
            "result_variable": "auth_code",
        },
        {
            "index": "2",
            "title": "Find all usages",
            "tool": "search_code",
            "args": {"query": "from auth.handler import"},
            "depends_on": [],
            "result_variable": "usages",
        },
        {
            "index": "3",
            "title": "Write refactored module",
            "tool": "write_file",
            "args": {"path": "${module_path}", "content": "# used by ${usages.paths}\n${auth_code}"},
            "depends_on": ["1", "2"],
            "result_variable": "write_result",
        },
        {
            "index": "4",
            "title": "Run tests",
            "tool": "run_tests",
            "args": {"path": "tests/auth/"},
            "depends_on": ["3"],
            "result_variable": "test_results",
        },
    ],
}
