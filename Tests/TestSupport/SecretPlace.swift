// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Swifty

/// A place of a request in which a secret may be: one row of the table of places and outputs.
package struct SecretPlace: Sendable, CustomStringConvertible {
    package let description: String
    private let make: @Sendable (BaseResource, String) -> NetworkResource

    package init(_ description: String, _ make: @escaping @Sendable (BaseResource, String) -> NetworkResource) {
        (self.description, self.make) = (description, make)
    }

    /// The request with a secret in this place.
    ///
    /// - Parameter base: The start of a request of a service that has the secret name `X-Customer`.
    package func request(_ base: BaseResource, _ secret: String) -> NetworkResource { make(base, secret) }

    /// A secret of this place alone, which does not look like one.
    package var secret: String {
        let number = Self.all.firstIndex { $0.description == description } ?? 0
        return "Hush\(UnicodeScalar(UInt8(97 + number / 26)))\(UnicodeScalar(UInt8(97 + number % 26)))quietWord"
    }

    /// The rows of the table.
    package static let all = fields + parameters + paths + json + forms + texts + values

    // MARK: - Makers

    private static func field(_ name: String, _ value: @escaping @Sendable (String) -> String = { $0 }) -> SecretPlace {
        SecretPlace("field \(name) \(value("…"))") { $0.post("in").header(name, value($1)) }
    }

    private static func query(_ name: String, _ value: @escaping @Sendable (String) -> String = { $0 }) -> SecretPlace {
        SecretPlace("query \(name) \(value("…"))") { $0.post("in").query([name: value($1)]) }
    }

    /// Content, in which `$` stands for the secret.
    private static func content(_ type: String, _ template: String) -> SecretPlace {
        SecretPlace("\(type): \(template.prefix(60))") { base, secret in
            base.post("in").text(template.replacing("$", with: secret), contentType: type)
        }
    }

    // MARK: - Fields

    private static let fields: [SecretPlace] = [
        field("Authorization") { "Bearer \($0)" }, field("Cookie") { "sid=\($0); a=b" }, field("X-Api-Key"),
        field("DPoP"), field("Cf-Access-Jwt-Assertion"), field("X-Goog-IAP-JWT-Assertion"),
        field("x-amzn-oidc-data"), field("Authentication"), field("X-Authentication"), field("X-Api-Auth"),
        field("X-User-Pass"), field("X-Shopify-Hmac-Sha256"), field("X-CSRF-Token"), field("X-Customer"),
        field("Referer") { "https://x.test/a?token=\($0)" }, field("X-Original-URL") { "/a?b=c&api_key=\($0)" },
        field("X-Target") { "https://u:\($0)@x.test/" },
        field("Link") { "<https://x.test/?access_token=\($0)>; rel=next" },
        field("X-Note") { "Bearer 1\($0)" }, field("X-Note") { "eyJhbGciOiJIUzI1NiJ9.\($0).c2ln" },
        field("X-Next") { "/cb?next=https%3A%2F%2Fx.test%2F%3Ftoken%3D\($0)" },
        field("X-Basic") { "Basic \(Data("ada:\($0)".utf8).base64EncodedString())" },
    ]

    // MARK: - URLs

    private static let parameters: [SecretPlace] = [
        query("access_token"), query("device_code"), query("SAMLResponse"), query("passcode"), query("sig"),
        query("cvv"), query("PHPSESSID"), query("user[password]"), query("code"), query("assertion"), query("apiKey"),
        query("x-customer"), query("next") { "https://x.test/?token=\($0)" },
        query("filter") { #"{"password":"\#($0)"}"# },
        query("u") { "https://x.test/?v=https%3A%2F%2Fy.test%2F%3Fsecret%3D\($0)" },
    ]

    private static let paths: [SecretPlace] = [
        SecretPlace("variable {token} in a segment") { $0.post("bot{token}/send", ["token": "123:\($1)"]) },
        SecretPlace("variable {password}") { $0.post("reset/{password}", ["password": "\($1)/ä"]) },
        SecretPlace("variable {xCustomer}") { $0.post("of/{xCustomer}/x", ["xCustomer": $1]) },
        SecretPlace("matrix parameter") { $0.post("a;jsessionid=\($1)/b") },
        SecretPlace("Telegram's token in an interpolated path") { $0.post("bot1234567:AA\($1)/getMe") },
        SecretPlace("JSON Web Token in a path") { $0.post("t/eyJhbGciOiJIUzI1NiJ9.\($1).c2ln/x") },
    ]

    // MARK: - Content

    private static let json: [SecretPlace] = [
        content("application/json", #"{"a":{"clientSecret":"$"}}"#),
        content("application/json", #"{"pass\u0077ord" : "$", "n": 1}"#),
        content("application/json", #"{"tokens":["a", {"b": "$"}]}"#),
        content("application/json", #"{"url":"https://x.test/?token=$"}"#),
        content("application/json", #"{"data":"{\"password\":\"$\"}"}"#),
        content("application/json", #"{"data":"{\"in\":\"{\\\"password\\\":\\\"$\\\"}\"}"}"#),
        content("application/json", #"[{"name":"Authorization","value":"$"}]"#),
        content("application/json", #"[{"value":"$","name":"X-Api-Key"}]"#),
        content("application/json", #"{"n":NaN,"password":"$"}"#),
        content("application/json", #"{"a":[1,{"password":"$"#),
        content("application/json", #"{"query":"mutation { login(password: \"$\") { id } }"}"#),
        content("application/json", #"{"header":"Authorization: Bearer $"}"#),
        content("application/json", #"{"db":"Server=x;Password=$;Encrypt=yes"}"#),
        content("application/json", #"{"url":"postgres://ada:$@db.test/x"}"#),
        content("application/json", #"{"pem":"-----BEGIN PRIVATE KEY-----\n$\n-----END PRIVATE KEY-----"}"#),
        content("application/json", #"{"id":"AKIA0123456789$"}"#), content("application/json", #"{"id":"ghp_0$"}"#),
        content("application/json", #"{"id":"eyJhbGciOiJIUzI1NiJ9.$.c2ln"}"#),
        content("application/x-ndjson", "{\"password\":\"$\"}\n{\"n\":1}\n"),
        content("application/json-seq", "\u{1E}{\"password\":\"$\"}\n\u{1E}{\"n\":1}\n"),
        content("text/event-stream", "event: x\ndata: {\"secret\":\"$\"}\n\n"),
        content("application/octet-stream", "\u{0}\u{1}binary{\"apiKey\":\"$\"}"),
    ]

    private static let forms: [SecretPlace] = [
        content("application/x-www-form-urlencoded", "a=1&password=$&b=2"),
        content("application/x-www-form-urlencoded", "password=$\u{0}x&b=2"),
        SecretPlace("form with bytes that are not UTF-8") { base, secret in
            let form = Data("a=".utf8) + [0xFF] + Data("&client_secret=\(secret)".utf8)
            return base.post("in").data(form, contentType: "application/x-www-form-urlencoded")
        },
        content("text/plain", "access_token=$&expires=5183999\n"), content("text/plain", "client_secret=a $&x=1"),
        SecretPlace("part of a form") { $0.post("in").multipart(name: "password", value: $1) },
        SecretPlace("part of JSON") {
            let part = Data(#"{"password":"\#($1)"}"#.utf8)
            return $0.post("in").multipart(name: "a", data: part, contentType: "application/json")
        },
        SecretPlace("field of a part") {
            $0.post("in").multipart(name: "a", value: "b", headers: ["X-Auth-Token": $1])
        },
        content(
            "multipart/form-data; boundary=b1",
            "preamble\r\n--b1\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\n$\r\n--b1--\r\n"
        ),
        content("multipart/form-data; boundary=b1", "--b1\nContent-Disposition: form-data; name=pin\n\n$\n--b1--\n"),
        content("multipart/mixed", "--b1\n\n{\"password\":\"$\"}\n--b1--\n"),
    ]

    private static let texts: [SecretPlace] = [
        content("application/xml", "<a><SecretAccessKey>$</SecretAccessKey></a>"),
        content("application/xml", "<s:password xmlns:s=\"x\"><![CDATA[$]]></s:password>"),
        content("application/xml", "<user name=\"a\" password=\"$\"/>"),
        content("application/xml", "<item key=\"api-key\">$</item>"),
        content("application/xml", "<dict><key>password</key><string>$</string></dict>"),
        content("text/html", "<input type=\"hidden\" name=\"csrf_token\" value=\"$\">"),
        content("text/html", "<meta name=csrf-token content='$'>"),
        content("text/html", "<div data-x=\"{&quot;apiKey&quot;:&quot;$&quot;}\">"),
        content("application/yaml", "db:\n  password: a $ # x\n  port: 1\n"),
        content("application/yaml", "env:\n  - name: DB_PASSWORD\n    value: $\n"),
        content("application/yaml", "private_key: |\n  $\n  x\nport: 1\n"),
        content("text/plain", "PORT=1\nexport DB_PASS=a $\n"), content("text/plain", "[db]\npassword = a $\n"),
        content("text/javascript", "const a = {apiKey: \"$\", b: 1}"),
        content("text/javascript", "x({'password':'$'})"),
        content("application/graphql", "mutation { login(password: \"$\", name: \"a\") { id } }"),
        content("text/csv", "name,password,port\nada,$,1\n"), content("text/csv", "\"Api Key\";b\n\"a$\";1\n"),
        content("message/http", "GET / HTTP/1.1\r\nAuthorization: Digest $\r\n\r\n"),
        content("text/plain", "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4\n\n$\n-----END RSA PRIVATE KEY-----\n"),
        content("text/plain", "curl -H 'Authorization: Bearer $' https://x.test"),
    ]

    // MARK: - Marked values

    private static let values: [SecretPlace] = [
        SecretPlace("marked value of a path") { $0.post("services/T1/\($1)").secret($1) },
        SecretPlace("marked value of a field") { $0.post("in").header("X-Note", "a \($1) b").secret($1) },
        SecretPlace("marked value of JSON") { $0.post("in").json(["note": "a \"\($1)\" b"]).secret("\"\($1)\"") },
        SecretPlace("marked value in Base64") { base, secret in
            let value = Data("ada:\(secret):x".utf8).base64EncodedString()
            return base.post("in").header("X-Note", value).secret(secret)
        },
        SecretPlace("marked value with signs, percent-encoded") {
            $0.post("in").query(["a": "\($1)/ä &"]).secret("\($1)/ä &")
        },
    ]
}
