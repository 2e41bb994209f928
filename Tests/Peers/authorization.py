# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A WSGI application with an authorization server by the package authlib, and a resource that needs a token.

Run it with gunicorn as authorization:app, with one process, whose memory has the codes and tokens.

Clients: `tool`, which is public, and `web` with the secret `web-secret`. Both redirect to http://127.0.0.1:8400/login.

GET  /authorize   RFC 6749 §4.1.1 with PKCE; the user is `ada`, who denies a request with the parameter `deny`; the
                  response has `iss` (RFC 9207)
POST /token       codes, refresh tokens, which are replaced with each use, and device codes; the second poll of a
                  device code is too fast
POST /device      RFC 8628 §3.1
POST /decide      the decision of the user: `user_code`, and `approved` with 1 or 0
GET  /orders      for the owner of a token; without one, or with one that was revoked, 401
POST /revoke      revokes all access tokens
"""

import os
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector  # noqa: E402
from authlib.oauth2 import OAuth2Error  # noqa: E402
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants  # noqa: E402
from authlib.oauth2.rfc6749.models import AuthorizationCodeMixin  # noqa: E402
from authlib.oauth2.rfc6750 import BearerTokenValidator  # noqa: E402
from authlib.oauth2.rfc7636 import CodeChallenge  # noqa: E402
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict  # noqa: E402
from authlib.oauth2.rfc9207 import IssuerParameter  # noqa: E402
from flask import Flask, request  # noqa: E402

codes, tokens, devices, decisions, polls = {}, [], {}, {}, {}


class User:
    def __init__(self, name):
        self.name = name


class Client(ClientMixin):
    def __init__(self, name, secret, method):
        self.client_id, self.secret, self.method = name, secret, method

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return None

    def get_allowed_scope(self, scope):
        return scope or ""

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri == "http://127.0.0.1:8400/login"

    def check_client_secret(self, client_secret):
        return client_secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return True


class Record:
    """The fields of a code or a token."""

    def __init__(self, **fields):
        self.__dict__.update(fields)


class Code(Record, AuthorizationCodeMixin):
    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class Token(Record, TokenMixin):
    revoked = False
    refresh_token = None

    def check_client(self, client):
        return self.client_id == client.get_client_id()

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return self.expires_in

    def is_expired(self):
        return False

    def is_revoked(self):
        return self.revoked


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def save_authorization_code(self, code, request):
        data = request.payload.data
        codes[code] = Code(
            code=code,
            client_id=request.client.client_id,
            redirect_uri=request.payload.redirect_uri,
            scope=request.payload.scope,
            user=request.user,
            code_challenge=data.get("code_challenge"),
            code_challenge_method=data.get("code_challenge_method"),
        )

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        codes.pop(authorization_code.code, None)

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class S256(CodeChallenge):
    DEFAULT_CODE_CHALLENGE_METHOD = "S256"
    SUPPORTED_CODE_CHALLENGE_METHOD = ["S256"]


class RefreshGrant(grants.RefreshTokenGrant):
    INCLUDE_NEW_REFRESH_TOKEN = True
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post", "none"]

    def authenticate_refresh_token(self, refresh_token):
        for token in tokens:
            if refresh_token == token.refresh_token:
                return token

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True
        refresh_token.refresh_token = None


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    def get_verification_uri(self):
        return request.host_url + "decide"

    def save_device_credential(self, client_id, scope, data):
        end = time.time() + data["expires_in"]
        devices[data["device_code"]] = DeviceCredentialDict(
            client_id=client_id, scope=scope, expires_at=end, **data
        )


class DeviceGrant(DeviceCodeGrant):
    def query_device_credential(self, device_code):
        return devices.get(device_code)

    def query_user_grant(self, user_code):
        return decisions.get(user_code)

    def should_slow_down(self, credential):
        code = credential.get_user_code()
        polls[code] = polls.get(code, 0) + 1
        return polls[code] == 2


class Issuer(IssuerParameter):
    def get_issuer(self):
        return request.host_url.rstrip("/")


class Validator(BearerTokenValidator):
    def authenticate_token(self, token_string):
        return next((token for token in tokens if token.access_token == token_string), None)


def save_token(token, request):
    tokens.append(Token(client_id=request.client.client_id, user=request.user, **{"scope": "", **token}))


clients = {
    "tool": Client("tool", "", "none"),
    "web": Client("web", "web-secret", "client_secret_basic"),
}
app = Flask("authorization")
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
server = AuthorizationServer(app, clients.get, save_token)
server.register_grant(CodeGrant, [S256(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(DeviceEndpoint)
server.register_extension(Issuer())
protector = ResourceProtector()
protector.register_token_validator(Validator())


@app.get("/authorize")
def authorize():
    user = None if "deny" in request.args else User("ada")
    try:
        grant = server.get_consent_grant(end_user=user)
    except OAuth2Error as error:
        return dict(error.get_body()), error.status_code
    return server.create_authorization_response(grant_user=user, grant=grant)


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/decide")
def decide():
    decisions[request.form["user_code"]] = User("ada"), request.form["approved"] == "1"
    return ""


@app.get("/orders")
@protector()
def orders():
    return "orders of " + protector.acquire_token().user.name


@app.post("/revoke")
def revoke():
    for each in tokens:
        each.revoked = True
    return ""
