# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A WSGI application with JSON-RPC by the package json-rpc, and GraphQL by graphql-core.

Run it with gunicorn as calls:app.

POST /rpc       balance(id), add(a, b), refuse(data), which raises an error with data, note(text), notes()
POST /graphql   an operation as JSON; GET /graphql with the parameters of an operation
POST /persisted as /graphql, and GET, for operations that are known by the digest of their text
"""

import hashlib
import json

from graphql import build_schema, graphql_sync
from jsonrpc import Dispatcher, JSONRPCResponseManager
from jsonrpc.exceptions import JSONRPCDispatchException
from werkzeug.wrappers import Request, Response

procedures = Dispatcher()
texts = {}
written = []


@procedures.add_method
def balance(id):
    return {"account_id": id, "amount": 10.5 * id}


@procedures.add_method
def add(a, b):
    return a + b


@procedures.add_method
def refuse(data):
    raise JSONRPCDispatchException(code=42, message="no", data=data)


@procedures.add_method
def note(text):
    written.append(text)


@procedures.add_method
def notes():
    return written


schema = build_schema("""
    type Query { hero(episode: Int!): Hero  broken: String!  maybe: String }
    type Mutation { rename(name: String!): Hero }
    type Hero { name: String!  friends: [Friend] }
    type Friend { name: String! }
""")


class Hero:
    def __init__(self, name):
        self.name = name
        self.friends = [{"name": "R2-D2"}, {}]


class Root:
    def hero(self, info, episode):
        return Hero("Luke") if episode == 4 else None

    def broken(self, info):
        raise ValueError("it is broken")

    def rename(self, info, name):
        return Hero(name)


def run(operation):
    result = graphql_sync(schema, operation["query"], Root(), variable_values=operation.get("variables"))
    return result.formatted


def persisted(operation):
    digest = operation.get("extensions", {}).get("persistedQuery", {}).get("sha256Hash")
    if operation.get("query") and hashlib.sha256(operation["query"].encode()).hexdigest() == digest:
        texts[digest] = operation["query"]
    if digest not in texts:
        extensions = {"code": "PERSISTED_QUERY_NOT_FOUND"}
        return {"errors": [{"message": "PersistedQueryNotFound", "extensions": extensions}]}
    return run({**operation, "query": texts[digest]})


def operation_of(request):
    if request.method == "POST":
        return json.loads(request.get_data())
    arguments = dict(request.args)
    return {name: value if name == "query" else json.loads(value) for name, value in arguments.items()}


@Request.application
def app(request):
    if request.path == "/rpc":
        reply = JSONRPCResponseManager.handle(request.get_data(), procedures)
        return Response(reply.json if reply else "", status=200 if reply else 204, mimetype="application/json")
    result = (persisted if request.path == "/persisted" else run)(operation_of(request))
    response = Response(json.dumps(result), mimetype="application/graphql-response+json")
    response.headers["X-Method"] = request.method
    return response
