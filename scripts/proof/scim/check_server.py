"""Runs scim2-tester against a directory: check_server.py <SCIM URL> <token>. Exits with 0 only if nothing failed."""

import sys

from httpx2 import Client
from scim2_client.engines.httpx2 import SyncSCIMClient
from scim2_tester import Status, check_server

base_url, token = sys.argv[1:3]
with Client(base_url=base_url, headers={"Authorization": f"Bearer {token}"}, timeout=60) as http:
    scim = SyncSCIMClient(http)
    scim.discover()
    results = check_server(scim)
failed = 0
counts = {}
for result in results:
    counts[result.status.name] = counts.get(result.status.name, 0) + 1
    if result.status in (Status.ERROR, Status.CRITICAL):
        failed += 1
        print(f"{result.status.name} {result.title}: {result.reason}\n    {str(result.data)[:600]}")
    elif result.status.name not in ("SUCCESS",):
        print(f"{result.status.name} {result.title}: {str(result.reason)[:160]}")
print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
sys.exit(1 if failed or not counts.get("SUCCESS") else 0)
