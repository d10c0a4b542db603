"""Runs Lambdas that share a bundle, each call in a process of its own: run by ``python -I -S``, it sees nothing else.

``isolated_worker.py CODE HANDLER [MODULE ...]`` imports the handler of CODE, and MODULEs that a call would import, once
for all calls: fifteen cold starts take half a minute. It reads a line ``{"environment": {...}, "event": {...}}`` per
call and answers with a line: null, or the traceback of what was raised.
"""

import importlib
import json
import os
import sys
import traceback
from types import SimpleNamespace
from typing import Any


def main(code: str, handler: str, *modules: str) -> None:
    """Answer calls until standard input ends."""
    sys.path.insert(0, code)
    module, _, name = handler.rpartition(".")
    function = getattr(importlib.import_module(module), name)
    for each in modules:
        importlib.import_module(each)
    # what functions print, metrics among it, is no answer
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        answers.write(json.dumps(call(function, **json.loads(line))) + "\n")
        answers.flush()


def call(function: Any, environment: dict[str, str], event: dict[str, Any]) -> str | None:
    """Call *function* in a child process; return the traceback of what it raised, or None."""
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        with os.fdopen(read) as said:
            answer = json.loads(said.read() or '"the process ended"')
        os.waitpid(child, 0)
        return answer
    os.environ.clear()
    os.environ.update(environment)
    raised = None
    try:
        function(event, SimpleNamespace(**CONTEXT))
    except Exception:
        raised = traceback.format_exc()
    os.write(write, json.dumps(raised).encode())
    os._exit(0)


CONTEXT = {
    "function_name": "stage",
    "memory_limit_in_mb": 512,
    "invoked_function_arn": "arn:aws:lambda:us-east-1:000000000000:function:stage",
    "aws_request_id": "request",
}

if __name__ == "__main__":
    main(*sys.argv[1:])
