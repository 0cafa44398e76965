"""The trip with openapi-python-client: one module per operation."""

import base64
import hashlib
import hmac
import json
import os
import queue
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from io import BytesIO

import httpx
from collaborator_api import AuthenticatedClient
from collaborator_api.api.auth import get_auth_user
from collaborator_api.api.collaborators import create_collaborator, list_collaborators
from collaborator_api.api.documents import upload_document
from collaborator_api.api.webhooks import create_webhook, delete_webhook
from collaborator_api.models import (
    AuthUser,
    BadRequestError,
    Collaborator,
    CollaboratorCreate,
    CollaboratorCreatedPayload,
    CollaboratorList,
    Document,
    DocumentType,
    DocumentUpload,
    WebhookCreate,
    WebhookDeleted,
    WebhookWithSecret,
)
from collaborator_api.types import UNSET, File, Unset

BASE_URL = os.environ["BASE_URL"]
RUN_ID = os.environ["RUN_ID"]
CONTRACT = b"%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"


def access_token() -> str:
    """Exchanges the refresh token for an access token, as a client does once an hour (RFC 6749, section 6)."""
    form = {
        "grant_type": "refresh_token",
        "client_id": os.environ["CLIENT_ID"],
        "refresh_token": os.environ["REFRESH_TOKEN"],
    }
    tokens = httpx.post(f"{BASE_URL}/oauth/token", data=form).raise_for_status().json()
    print(f"token: for {tokens['expires_in']} s")
    return str(tokens["access_token"])


def person(number: int) -> CollaboratorCreate:
    return CollaboratorCreate(
        name=f"Traveller {number} {RUN_ID}",
        email=f"traveller-{number}-{RUN_ID}@verdelog.example",
        position="Driver",
        department="Fleet",
    )


class Receiver:
    """Receives events, and responds to each with 204."""

    def __init__(self) -> None:
        received: queue.Queue[tuple[dict[str, str], bytes]] = queue.Queue()
        self.received = received

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                received.put(({name.lower(): value for name, value in self.headers.items()}, body))
                self.send_response(204)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{server.server_port}/events"

    def next(self, secret: str) -> CollaboratorCreatedPayload:
        headers, body = self.received.get(timeout=30)
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
        good = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
        assert any(hmac.compare_digest(good, given) for given in headers["webhook-signature"].split(" "))
        return CollaboratorCreatedPayload.from_dict(json.loads(body))


client = AuthenticatedClient(base_url=BASE_URL, token=access_token())

user = get_auth_user.sync(client=client)
assert isinstance(user, AuthUser)
company = user.companies[0]
print(f"company: {company.name}, as {company.role}")

added: list[Collaborator] = []
for number in (1, 2, 3):
    created = create_collaborator.sync(client=client, body=person(number), x_company_id=company.id)
    assert isinstance(created, Collaborator), created
    added.append(created)
print(f"created: {len(added)} collaborators, {added[0].status}")

pages = 0
listed: list[str] = []
cursor: str | Unset | None = UNSET
while cursor is not None:
    page = list_collaborators.sync(client=client, x_company_id=company.id, search=RUN_ID, limit=2, cursor=cursor)
    assert isinstance(page, CollaboratorList) and page.pagination, page
    listed += [item.id for item in page.data]
    cursor = page.pagination.next_cursor
    pages += 1
assert listed == [collaborator.id for collaborator in added]
print(f"listed: {len(listed)} collaborators on {pages} pages")

upload = DocumentUpload(file=File(BytesIO(CONTRACT), "contract.pdf", "application/pdf"), type_=DocumentType.CONTRACT)
document = upload_document.sync(added[0].id, client=client, body=upload, x_company_id=company.id)
assert isinstance(document, Document), document
print(f"uploaded: {document.name}, {document.type_}, {document.size} bytes")

rejected = create_collaborator.sync(client=client, body=person(1), x_company_id=company.id)
assert isinstance(rejected, BadRequestError) and rejected.details, rejected
print(f"rejected: {rejected.error}, email {rejected.details['email'][0].code}")

events = Receiver()
subscription = WebhookCreate(url=events.url, events=["collaborator.created"])
subscribed = create_webhook.sync(client=client, body=subscription, x_company_id=company.id)
assert isinstance(subscribed, WebhookWithSecret), subscribed
create_collaborator.sync(client=client, body=person(4), x_company_id=company.id)
payload = events.next(subscribed.secret)
print(f"webhook: {payload.data.event_type}, {payload.data.data.status}, signature valid")
ended = delete_webhook.sync(subscribed.id, client=client, x_company_id=company.id)
assert isinstance(ended, WebhookDeleted), ended
