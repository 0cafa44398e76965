"""Signs in with requests-oauthlib, refreshes, and gets a token with client_credentials."""
import os

from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session

base = os.environ["BASE_URL"]
client_id, secret = os.environ["CLIENT_ID"], os.environ["CLIENT_SECRET"]
token_url = f"{base}/oauth/token"


def session(scopes):
    return OAuth2Session(client_id, redirect_uri=os.environ["REDIRECT_URI"], scope=scopes, pkce="S256")


def sign_in(oauth, **parameters):
    url, _ = oauth.authorization_url(f"{base}/oauth/authorize", **parameters)
    print(f"open {url}", flush=True)
    return oauth.fetch_token(token_url, client_secret=secret, authorization_response=input())


person = session(["openid", "profile", "email", "offline_access", "collaborators:read"])
sign_in(person)
claims = person.get(f"{base}/oauth/userinfo").json()
print(f"signed in as {claims['email']}")
person.refresh_token(token_url, auth=(client_id, secret))
print("refreshed")

installation = sign_in(session(["profile", "collaborators:read", "offline_access"]), installation="true")
machine = OAuth2Session(client=BackendApplicationClient(client_id=client_id))
machine.fetch_token(token_url, auth=(client_id, secret), installation_id=installation["installation_id"])
assert machine.get(f"{base}/auth/user").json()["kind"] == "installation"
print("token without a person")
