"""Validates recorded responses against an OpenAPI document, with openapi-core.

check-responses.py <document> <folder>: the folder has the output of test/helpers/contract/record-exchanges.ts. Prints each kind of error once.
"""

import json
import logging
import sys
from pathlib import Path

from jsonschema_path import SchemaPath
from openapi_core import OpenAPI
from openapi_core.templating.paths.exceptions import PathError
from openapi_core.templating.responses.exceptions import ResponseFinderError
from openapi_core.testing import MockRequest, MockResponse

BASE = "http://localhost"

logging.disable(logging.WARNING)
document, folder = sys.argv[1:]
content = json.loads(Path(document).read_text())
content["servers"] = [{"url": BASE}]
api = OpenAPI(SchemaPath.from_dict(content))

validated, outside, errors = 0, 0, {}
for recording in sorted(Path(folder).glob("*.jsonl")):
    for line in recording.read_text().strip().split("\n"):  # splitlines() also splits at U+2028, which JSON leaves as it is
        exchange = json.loads(line)
        headers, path = exchange["headers"], exchange["url"].split("?")[0]
        if not headers.get("content-type", "").startswith("application/json") or not path.startswith(("/v1/", "/auth/user")):
            continue
        request = MockRequest(BASE, exchange["method"].lower(), path)
        response = MockResponse(exchange["body"].encode(), exchange["status"], headers, "application/json")
        try:
            api.validate_response(request, response)
            validated += 1
        except (PathError, ResponseFinderError):
            outside += 1  # unknown paths and methods, and requests rejected before routing
        except Exception as error:  # noqa: BLE001
            validated += 1
            cause = error.__cause__ or error
            details = "; ".join(str(each.message)[:200] for each in getattr(cause, "schema_errors", [])) or str(cause)[:300]
            errors.setdefault(f"{exchange['method']} {path.split('/')[1:3]} {exchange['status']}: {details}", exchange["url"])

print(f"{validated} responses validated; {outside} others belong to no operation.")
for error, url in errors.items():
    print(f"{error} ({url})")
sys.exit(1 if errors or validated == 0 else 0)
