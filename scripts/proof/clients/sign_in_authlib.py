"""Signs in with Authlib, checks the id_token, refreshes, and gets a token with client_credentials."""
import os

import requests
from authlib.integrations.requests_client import OAuth2Session
from joserfc import jwt
from joserfc.jwk import KeySet

base = os.environ["BASE_URL"]
server = requests.get(f"{base}/.well-known/openid-configuration", timeout=10).json()
client = {"client_id": os.environ["CLIENT_ID"], "client_secret": os.environ["CLIENT_SECRET"]}


def sign_in(scope, **parameters):
    verifier = "v" * 64
    oauth = OAuth2Session(
        **client, scope=scope, redirect_uri=os.environ["REDIRECT_URI"], code_challenge_method="S256"
    )
    url, _ = oauth.create_authorization_url(server["authorization_endpoint"], code_verifier=verifier, **parameters)
    print(f"open {url}", flush=True)
    return oauth, oauth.fetch_token(
        server["token_endpoint"], authorization_response=input(), code_verifier=verifier
    )


person, token = sign_in("openid profile email offline_access")
keys = KeySet.import_key_set(requests.get(server["jwks_uri"], timeout=10).json())
claims = jwt.decode(token["id_token"], keys, algorithms=server["id_token_signing_alg_values_supported"]).claims
jwt.JWTClaimsRegistry(iss={"essential": True, "value": base}, aud={"essential": True, "value": client["client_id"]}).validate(claims)
assert claims["sub"] == person.get(server["userinfo_endpoint"]).json()["sub"]
print(f"signed in as {claims['email']}")
person.refresh_token(server["token_endpoint"])
print("refreshed")

_, installation = sign_in("profile collaborators:read offline_access", installation="true")
machine = OAuth2Session(**client)
machine.fetch_token(
    server["token_endpoint"], grant_type="client_credentials", installation_id=installation["installation_id"]
)
assert machine.get(f"{base}/auth/user").json()["kind"] == "installation"
print("token without a person")
