# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""A WSGI application that parses the content of requests with werkzeug, and decodes it with Python's zlib.

Run it with gunicorn as forms:app.

POST /form      responds with the parts of a form as JSON: name, file name, header fields, content as Latin-1
POST /content   responds with Content-Encoding, Content-Length, and the length and SHA-256 of the decoded content
"""

import gzip
import hashlib
import json

from werkzeug.wrappers import Request, Response


class AnyRequest(Request):
    max_form_parts = None
    max_form_memory_size = None


def parts(request):
    yield from ([name, None, {}, value] for name, value in request.form.items(multi=True))
    for name, file in request.files.items(multi=True):
        yield [name, file.filename, dict(file.headers), file.stream.read().decode("latin-1")]


def describe(request):
    content = request.get_data()
    coding = request.headers.get("Content-Encoding", "none")
    if coding == "gzip":
        content = gzip.decompress(content)
    length = request.headers.get("Content-Length", "none")
    return f"{coding} {length} {len(content)} {hashlib.sha256(content).hexdigest()}"


@AnyRequest.application
def app(request):
    if request.path == "/form":
        return Response(json.dumps(list(parts(request))))
    return Response(describe(request))
