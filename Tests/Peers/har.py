# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""Reads a HAR file with haralyzer, and checks that it has what HAR 1.2 requires.

Prints one line of JSON: the version, the ids of the pages, and for each entry method, URL, status, media type and
content (in Base64); or the members that are missing or of another type, and fails.

Source: http://www.softwareishard.com/blog/har-12-spec/
"""

import base64
import json
import sys
from datetime import datetime

from haralyzer import HarParser

NUMBER = (int, float)
PAIR = {"name": str, "value": str}
MESSAGE = {"httpVersion": str, "cookies": [PAIR], "headers": [PAIR], "headersSize": int, "bodySize": int}
REQUIRED = {
    "log": {
        "version": str,
        "creator": {"name": str, "version": str},
        "entries": [
            {
                "startedDateTime": str,
                "time": NUMBER,
                "request": MESSAGE | {"method": str, "url": str, "queryString": [PAIR]},
                "response": MESSAGE
                | {"status": int, "statusText": str, "content": {"size": int, "mimeType": str}, "redirectURL": str},
                "cache": {},
                "timings": {"send": NUMBER, "wait": NUMBER, "receive": NUMBER},
            }
        ],
    }
}


def faults(value, rule, place="$"):
    """The members that are missing or of another type."""
    if isinstance(rule, dict):
        if not isinstance(value, dict):
            return [f"{place} is no object"]
        found = []
        for name, own in rule.items():
            path = f"{place}.{name}"
            found += faults(value[name], own, path) if name in value else [f"{path} is missing"]
        return found
    if isinstance(rule, list):
        if not isinstance(value, list):
            return [f"{place} is no array"]
        return [fault for index, one in enumerate(value) for fault in faults(one, rule[0], f"{place}[{index}]")]
    return [] if isinstance(value, rule) and not isinstance(value, bool) else [f"{place} has another type"]


def other_faults(log):
    """What the types do not tell."""
    found = []
    for index, entry in enumerate(log["entries"]):
        if datetime.fromisoformat(entry["startedDateTime"]).tzinfo is None:
            found.append(f"entries[{index}].startedDateTime has no time zone")
        if any(value < 0 for value in entry["timings"].values()):
            found.append(f"entries[{index}].timings has a negative time")
        posted = entry["request"].get("postData")
        if posted is not None and not ("mimeType" in posted and "text" in posted):
            found.append(f"entries[{index}].request.postData lacks mimeType or text")
    return found


def content(entry):
    text = entry.response.text or ""
    encoding = entry.raw_entry["response"]["content"].get("encoding")
    return text if encoding == "base64" else base64.b64encode(text.encode()).decode()


def main(path):
    with open(path, encoding="utf-8") as file:
        data = json.load(file)
    found = faults(data, REQUIRED) or other_faults(data["log"])
    if found:
        sys.exit("\n".join(found))
    parser = HarParser(data)
    entries = [entry for page in parser.pages for entry in page.entries]
    print(
        json.dumps(
            {
                "version": parser.version,
                "pages": [page.page_id for page in parser.pages],
                "entries": [
                    {
                        "method": entry.request.method,
                        "url": entry.request.url,
                        "status": entry.response.status,
                        "type": entry.response.mimeType,
                        "content": content(entry),
                    }
                    for entry in entries
                ],
            }
        )
    )


main(sys.argv[1])
