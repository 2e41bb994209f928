// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The page of an inspector: one document, without any other resource. It shows all data as text.
enum InspectorPage {
    static let html = """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>Swifty Inspector</title>
        <style>\(style)</style>
        <header>
          <b>Swifty Inspector</b>
          <input id="filter" placeholder="status:5xx method:POST tag:oauth error >200ms -host:metrics words" autofocus>
          <button id="pause">Pause</button><button id="clear">Clear</button><button id="har">HAR</button>
          <span id="counts"></span>
        </header>
        <main>
          <table><thead><tr><th>#<th>Time<th>Method<th>URL<th>Status<th>Type<th>Size<th>ms<th></tr></thead>
          <tbody id="rows"></tbody></table>
          <section id="detail" hidden></section>
        </main>
        <script>\(script)</script>
        </html>
        """

    /// The digest of the style, as the policy of the page names it.
    static let styleDigest = digest(of: style)
    /// The digest of the script.
    static let scriptDigest = digest(of: script)

    private static func digest(of text: String) -> String {
        Data(SHA256.hash(Array(text.utf8))).base64EncodedString()
    }

    private static let style = """
        :root { color-scheme: light dark; --line: #8883; --bad: #d33; --warm: #b70; --good: #1a7; }
        body { margin: 0; font: 13px/1.5 system-ui, sans-serif; }
        header { position: sticky; top: 0; display: flex; gap: 8px; align-items: center; padding: 8px 12px;
          background: Canvas; border-bottom: 1px solid var(--line); }
        header input { flex: 1; font: inherit; padding: 4px 8px; }
        main { display: flex; align-items: flex-start; }
        table { flex: 1; border-collapse: collapse; min-width: 0; }
        th, td { text-align: left; padding: 3px 8px; border-bottom: 1px solid var(--line); white-space: nowrap; }
        td.url { max-width: 40vw; overflow: hidden; text-overflow: ellipsis; }
        tr { cursor: default; } tr.chosen { background: Highlight; color: HighlightText; }
        .bad { color: var(--bad); } .warm { color: var(--warm); } .good { color: var(--good); }
        .bar { display: inline-block; height: 8px; background: var(--good); vertical-align: middle; }
        section { width: 46vw; position: sticky; top: 44px; max-height: calc(100vh - 44px); overflow: auto;
          padding: 0 12px; border-left: 1px solid var(--line); box-sizing: border-box; }
        h2 { font-size: 14px; margin: 14px 0 4px; } h2.url { overflow-wrap: anywhere; }
        pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 4px 0; font: 12px/1.45 ui-monospace, monospace; }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 0 10px; margin: 4px 0; }
        dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; } dt.added::after { content: " +"; }
        """

    private static let script = """
        'use strict'
        const [token, linked] = location.hash.slice(1).split('/'), loads = new Map()
        const $ = id => document.getElementById(id)
        let revision = -1, chosen = linked ? Number(linked) : null, paused = false
        const ask = (path, method = 'GET') =>
          fetch(path, { method, headers: { Authorization: 'Bearer ' + token } })
        const el = (name, text, className) => {
          const node = document.createElement(name)
          if (text !== undefined && text !== null) node.textContent = text
          if (className) node.className = className
          return node
        }
        const size = n => n == null ? '' : n < 1024 ? n + ' B' : n < 1 << 20 ? (n / 1024).toFixed(1) + ' KiB'
          : (n / (1 << 20)).toFixed(1) + ' MiB'
        const host = load => { try { return new URL(load.url).host } catch { return '' } }
        const words = load => [load.url, load.name, load.template, load.tags.join(' '), load.errorCode, load.type,
          load.source].join(' ').toLowerCase()

        function matches(load, term) {
          if (term.startsWith('-') && term.length > 1) return !matches(load, term.slice(1))
          const slow = term.match(/^([<>])(\\d+)(ms|s)?$/)
          if (slow) {
            const limit = slow[2] * (slow[3] === 's' ? 1000 : 1)
            return load.duration != null && (slow[1] === '>' ? load.duration > limit : load.duration < limit)
          }
          const [key, ...rest] = term.split(':'), value = rest.join(':')
          switch (rest.length ? key : '') {
            case 'status':
              const pattern = value.replace(/[^0-9x]/g, '').replace(/x/g, '[0-9]')
              // What is still being typed matches all.
              return !pattern || new RegExp('^' + pattern + '$').test(load.status ?? '')
            case 'method': return load.method.toLowerCase() === value
            case 'host': return host(load).includes(value)
            case 'tag': return load.tags.some(tag => tag.toLowerCase().includes(value))
            case 'source': return (load.source ?? '').toLowerCase().includes(value)
          }
          if (term === 'error') return load.errorCode != null
          return words(load).includes(term)
        }

        const tone = load => load.errorCode || load.status >= 500 ? 'bad' : load.status >= 400 ? 'warm' : 'good'

        function show() {
          const terms = $('filter').value.toLowerCase().split(/\\s+/).filter(Boolean)
          const shown = [...loads.values()].filter(load => terms.every(term => matches(load, term)))
            .sort((a, b) => b.number - a.number)
          const longest = shown.reduce((most, load) => Math.max(most, load.duration ?? 0), 1)
          $('rows').replaceChildren(...shown.map(load => {
            const row = el('tr')
            row.className = load.number === chosen ? 'chosen' : ''
            const status = load.isEnded ? load.status ?? load.errorCode : '…'
            row.append(el('td', load.number), el('td', new Date(load.start).toLocaleTimeString()),
              el('td', load.method), el('td', load.url, 'url'), el('td', status, tone(load)),
              el('td', (load.type ?? '').split(';')[0]), el('td', size(load.bytes)),
              el('td', load.duration == null ? '' : load.duration.toFixed(1)))
            const bar = el('span', '', 'bar')
            bar.style.width = Math.round(80 * (load.duration ?? 0) / longest) + 'px'
            const last = el('td')
            last.append(bar, el('span', load.source && load.source !== 'network' ? ' ' + load.source : ''),
              el('span', load.attempts > 1 ? ' ×' + load.attempts : ''))
            row.append(last)
            row.onclick = () => {
              chosen = load.number
              history.replaceState(null, '', '#' + token + '/' + chosen)
              show()
              open()
            }
            return row
          }))
          const running = shown.filter(load => !load.isEnded).length
          const errors = shown.filter(load => load.errorCode).length
          const times = shown.map(load => load.duration).filter(time => time != null).sort((a, b) => a - b)
          const at = share => times.length ? times[Math.min(times.length - 1, Math.floor(times.length * share))] : 0
          $('counts').textContent = `${shown.length} loads, ${running} in flight, ${errors} errors, `
            + `p50 ${at(.5).toFixed(1)} ms, p99 ${at(.99).toFixed(1)} ms`
          $('pause').textContent = paused ? 'Resume' : 'Pause'
        }

        function fields(message, added) {
          const list = el('dl')
          for (const field of message.fields) {
            list.append(el('dt', field.name, added.includes(field.name) ? 'added' : ''), el('dd', field.value))
          }
          return list
        }

        function content(message) {
          if (message.content == null) {
            return el('pre', message.contentBytes ? `${size(message.contentBytes)}, not kept` : '')
          }
          try { return el('pre', JSON.stringify(JSON.parse(message.content), null, 2)) } catch {
            return el('pre', message.content)
          }
        }

        async function open() {
          const response = await ask('/loads/' + chosen)
          if (!response.ok) { $('detail').hidden = true; return }
          const load = await response.json(), outcome = load.outcome
          const parts = [el('h2', `${load.method} ${load.url}`, 'url')]
          const facts = el('dl'), fact = (name, value) => value && facts.append(el('dt', name), el('dd', value))
          fact('request', [load.name, load.template].filter(Boolean).join(', '))
          fact('tags', load.tags.join(', '))
          fact('instance', String(load.instance))
          if (outcome) {
            fact('from', outcome.source); fact('error', outcome.error)
            outcome.attempts.forEach((attempt, index) => fact('attempt ' + (index + 1), [
              attempt.errorCode ?? attempt.status, attempt.httpVersion && 'HTTP/' + attempt.httpVersion, attempt.peer,
              attempt.isConnectionReused ? 'reused' : '', ...['wait', 'queue', 'nameLookup', 'connect', 'tls',
                'firstByte', 'receive'].map(key => attempt[key] ? `${key} ${attempt[key]} ms` : ''),
              ...attempt.redirects].filter(Boolean).join(', ')))
          }
          parts.push(facts, el('h2', 'Events'),
            el('pre', load.events.map(event => event.time.toFixed(1).padStart(9) + ' ms  ' + event.text).join('\\n')))
          for (const [title, message] of [['Request', outcome?.request], ['Response', outcome?.response]]) {
            if (!message) continue
            parts.push(el('h2', `${title}: ${message.startLine}`, 'url'),
              fields(message, title === 'Request' ? outcome.addedFields : []), content(message))
          }
          $('detail').replaceChildren(...parts)
          $('detail').hidden = false
        }

        async function poll() {
          try {
            const response = await ask('/loads?since=' + revision)
            if (response.status === 401) {
              $('counts').textContent = 'The token in the URL is missing or wrong.'
              return
            }
            const changes = await response.json()
            const isNew = changes.revision !== revision || changes.isPaused !== paused
            revision = changes.revision; paused = changes.isPaused
            for (const load of changes.loads) loads.set(load.number, load)
            for (const number of [...loads.keys()]) if (number < changes.first) { loads.delete(number) }
            if (isNew || loads.size === 0) show()
            if (changes.loads.some(load => load.number === chosen)) open()
          } catch { $('counts').textContent = 'The process does not answer.' }
          setTimeout(poll, 1000)
        }

        $('filter').oninput = show
        $('clear').onclick = async () => {
          await ask('/clear', 'POST')
          loads.clear()
          $('detail').hidden = true
          show()
        }
        $('pause').onclick = async () => {
          await ask(paused ? '/resume' : '/pause', 'POST')
          paused = !paused
          show()
        }
        $('har').onclick = async () => {
          const link = el('a')
          link.href = URL.createObjectURL(await (await ask('/har')).blob())
          link.download = 'swifty.har'
          link.click()
        }
        poll()
        """
}
