import base64
import hashlib
import hmac
import re
import time

TOLERANCE_S = 300


def verify(secret, headers, body, now_s=None):
    """Verifies the signature and age of a webhook request.

    secret: the subscription's secret, including "whsec_"
    headers: a mapping with lowercase names
    body: the raw body, before parsing
    """
    message_id = headers.get("webhook-id") or ""
    timestamp = headers.get("webhook-timestamp") or ""
    signatures = headers.get("webhook-signature") or ""
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs((time.time() if now_s is None else now_s) - int(timestamp)) > TOLERANCE_S:
        return False

    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(key, content, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    return any(
        hmac.compare_digest(signature.encode(), expected)
        for signature in signatures.split(" ")
    )
