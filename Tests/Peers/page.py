# Part of the Swifty project.
# SPDX-License-Identifier: Apache-2.0

"""Runs the script of an inspector's page against its server, without a browser.

    page.py URL [ACTION …]

An action is `click:N` on the row N, `type:TEXT` into the filter, or the id of a button. Prints one line of JSON: what
the page shows at first, and after each action and the next poll.
"""

import json
import re
import sys
import urllib.error
import urllib.request

import quickjs

DOM = """
'use strict'
class Node {
  constructor(name) {
    Object.assign(this, { name, children: [], style: {}, value: '', className: '', hidden: false, own: '' })
  }
  get textContent() { return this.own + this.children.map(child => child.textContent).join(' ') }
  set textContent(text) { this.own = String(text); this.children = [] }
  append(...nodes) { this.children.push(...nodes) }
  replaceChildren(...nodes) { this.children = nodes; this.own = '' }
  click() { downloads.push(this.download) }
}
const elements = Object.fromEntries(ids.map(id => [id, new Node(id)])), downloads = []
const document = {
  getElementById: id => elements[id] ?? null,
  createElement: name => new Node(name),
}
const location = { hash }, history = { replaceState: (state, title, hash) => { location.hash = hash } }
class URL {
  constructor(text) { this.host = text.split('/')[2] }
  static createObjectURL() { return 'blob:' }
}
let later = []
const setTimeout = action => { later.push(action) }
async function fetch(path, options) {
  const [status, text] = JSON.parse(load(path, JSON.stringify(options)))
  return { status, ok: status < 300, json: async () => JSON.parse(text), blob: async () => text }
}
function poll_again() { const actions = later; later = []; for (const action of actions) action() }
function shown() {
  return JSON.stringify({
    rows: elements.rows.children.map(row => row.children.map(cell => cell.textContent)),
    chosen: elements.rows.children.map(row => row.className === 'chosen').indexOf(true),
    counts: elements.counts.textContent,
    pause: elements.pause.textContent,
    detail: elements.detail.hidden ? null : elements.detail.children.map(part => part.textContent),
    hash: location.hash,
    downloads,
  })
}
"""


def main(url, actions):
    server, token = url.split("/#")
    html = urllib.request.urlopen(server + "/").read().decode()
    context = quickjs.Context()

    def load(path, options):
        options = json.loads(options)
        request = urllib.request.Request(server + path, method=options["method"], headers=options["headers"])
        try:
            with urllib.request.urlopen(request) as response:
                return json.dumps([response.status, response.read().decode()])
        except urllib.error.HTTPError as error:
            return json.dumps([error.code, error.read().decode()])

    def run(code):
        value = context.eval(code)
        while context.execute_pending_job():
            pass
        return value

    context.add_callable("load", load)
    ids = re.findall(r'id="(\w+)"', html)
    run(f"const ids = {json.dumps(ids)}, hash = {json.dumps('#' + token)}")
    run(DOM)
    # The element has this attribute in the document.
    run("elements.detail.hidden = true")
    run(re.search("<script>(.*)</script>", html, re.DOTALL)[1])
    states = [json.loads(run("shown()"))]
    for action in actions:
        kind, _, value = action.partition(":")
        if kind == "click":
            run(f"elements.rows.children[{int(value)}].onclick()")
        elif kind == "type":
            run(f"elements.filter.value = {json.dumps(value)}; elements.filter.oninput()")
        else:
            run(f"elements[{json.dumps(kind)}].onclick()")
        run("poll_again()")
        states.append(json.loads(run("shown()")))
    print(json.dumps(states))


main(sys.argv[1], sys.argv[2:])
