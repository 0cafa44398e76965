"""The short trip with openapi-generator: one class per tag, one method per operation."""

import os

from collaborators import ApiClient, CollaboratorCreate, CollaboratorsApi, Configuration, DocumentsApi, DocumentType
from collaborators.exceptions import BadRequestException

RUN_ID = os.environ["RUN_ID"]
COMPANY_ID = os.environ["COMPANY_ID"]
CONTRACT = b"%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << /Root 1 0 R >>\n%%EOF\n"

client = ApiClient(Configuration(host=os.environ["BASE_URL"], access_token=os.environ["ACCESS_TOKEN"]))
collaborators = CollaboratorsApi(client)


def person(number: int) -> CollaboratorCreate:
    return CollaboratorCreate(
        name=f"Traveller {number} {RUN_ID}",
        email=f"traveller-{number}-{RUN_ID}@verdelog.example",
        position="Driver",
        department="Fleet",
    )


added = [collaborators.create_collaborator(COMPANY_ID, person(number)) for number in (1, 2, 3)]
print(f"created: {len(added)} collaborators, {added[0].status.value}")

pages = 0
listed: list[str] = []
cursor = None
while pages == 0 or cursor is not None:
    page = collaborators.list_collaborators(COMPANY_ID, search=RUN_ID, limit=2, cursor=cursor)
    listed += [item.id for item in page.data]
    cursor = page.pagination.next_cursor
    pages += 1
assert listed == [collaborator.id for collaborator in added]
print(f"listed: {len(listed)} collaborators on {pages} pages")

file = ("contract.pdf", CONTRACT)
# The client prefers JSON over a form by default.
document = DocumentsApi(client).upload_document(
    COMPANY_ID, added[0].id, file, DocumentType.CONTRACT, _content_type="multipart/form-data"
)
print(f"uploaded: {document.name}, {document.type}, {document.size} bytes")

try:
    collaborators.create_collaborator(COMPANY_ID, person(1))
    raise AssertionError("a duplicate email address was accepted")
except BadRequestException as rejected:
    email_error = rejected.data.details["email"][0]
    print(f"rejected: {rejected.data.error.value}, email {email_error.code.value}")
