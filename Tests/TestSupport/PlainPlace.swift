// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Swifty

/// A place of a request with values that are no secrets, although something about them looks like it.
package struct PlainPlace: Sendable, CustomStringConvertible {
    package let description: String
    /// The values that must be seen.
    package let values: [String]
    package let isInURL: Bool
    private let make: @Sendable (BaseResource) -> NetworkResource

    private init(
        _ description: String,
        _ values: [String],
        isInURL: Bool = false,
        _ make: @escaping @Sendable (BaseResource) -> NetworkResource
    ) {
        (self.description, self.values, self.isInURL, self.make) = (description, values, isInURL, make)
    }

    /// The request of a service that says `session_color` to be plain.
    package func request(_ base: BaseResource) -> NetworkResource { make(base) }

    package static let all = fields + urls + contents

    private static let fields = [
        ("Idempotency-Key", "plain-value-1"), ("X-Request-Id", "0123456789abcdef0123456789abcdef"),
        ("X-Note", "with a token that is not a bearer token"), ("X-Note", "Basic authentication"),
        ("Referer", "https://x.test/a?page=2&sort=name"), ("Accept", "text/html;q=0.8, application/json"),
        ("X-RateLimit-Remaining-Tokens", "4711"), ("User-Agent", "tokenizer/1.0 (monkey; key=a)"),
    ].map { name, value in
        PlainPlace("field \(name): \(value)", [value]) { $0.post("in").header(name, value) }
    }

    private static let urls: [PlainPlace] =
        [
            "token_type", "expires_in", "shipping", "spinner", "pinned", "monkey", "keyboard", "nonce", "state",
            "client_id", "scope", "max_tokens", "public_key", "session_color", "country_code", "author", "passenger",
        ].map { name in
            PlainPlace("query \(name)", ["\(name)=plain-value"], isInURL: true) {
                $0.post("in").query([name: "plain-value"])
            }
        } + [
            PlainPlace("variables", ["/users/ada/repos/7"], isInURL: true) {
                $0.post("users/{user}/repos/{id}", ["user": "ada", "id": 7])
            },
            PlainPlace("nested URL", ["x.test", "page%3D2"], isInURL: true) {
                $0.post("in").query(["next": "https://x.test/?page=2"])
            },
            PlainPlace("matrix parameter", ["/a;v=1.2/b"], isInURL: true) { $0.post("a;v=1.2/b") },
        ]

    private static let contents = [
        ("application/json", #"{"code":"not_found","key":"PROJ-12","pinned":true,"n":1.50}"#),
        ("application/json", #"{"ticket":{"subject":"plain"},"pin":{"x":1},"token_type":"bearer"}"#),
        ("application/json", #"{"total_tokens":30,"expires_in":3600,"token":null,"password":true}"#),
        ("application/json", #"[{"name":"color","value":"red"},{"key":"size","value":"XL"}]"#),
        ("application/json", #"{"text":"it's \"a thing\": no","url":"https:\/\/x.test\/?a=1"}"#),
        ("application/json", #"{"required":["password","email"]}"#),
        ("application/x-www-form-urlencoded", "a=1&sort=name&shipping=fast%20one"),
        ("application/xml", "<List><Key>photos/2024/a.jpg</Key><Code>AccessDenied</Code><a b=\"c\"/></List>"),
        ("text/html", "<input name=\"color\" value=\"red\"><p>Enter a password</p>"),
        ("application/yaml", "name: web\nport: 80\nauthor: ada\n"), ("text/plain", "PORT=80\nHOST=x\n"),
        ("text/csv", "name,port\nada,1\n"), ("text/javascript", "if (a == b) { say('hello: you') }"),
        ("text/plain", "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"),
        ("application/graphql", "query { user(name: \"ada\") { id } }"),
    ].map { type, text in
        PlainPlace("\(type): \(text.prefix(60))", text.split(separator: "\n").map(String.init)) {
            $0.post("in").text(text, contentType: type)
        }
    }
}
