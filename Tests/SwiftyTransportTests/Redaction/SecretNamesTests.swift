// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport
import Testing

@Suite("A name", .timeLimit(.minutes(15)))
struct SecretNamesTests {
    @Test(
        "of a secret is known in every spelling",
        arguments: [
            "Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "x_api_key", "apiKey",
            "APIKey",
            "api.key", "API%5Fkey", "access_token", "accessToken", "user[password]", "PASSWORD", "pAsSwOrD", "db_pass",
            "DB_PASS", "X-User-Pass", "passphrase", "passcode", "client_secret", "clientSecret", "client_assertion",
            "assertion", "SAMLResponse", "SAMLart", "device_code", "deviceCode", "auth_code", "verification_code",
            "totp", "otp", "otp_code", "mfa", "mfa_code", "cvv", "cvv2", "cvc", "pin", "user-pin", "pin_code", "sid",
            "connect.sid", "PHPSESSID", "JSESSIONID", "ASP.NET_SessionId", "ticket", "X-Goog-IAP-JWT-Assertion",
            "Cf-Access-Jwt-Assertion", "x-amzn-oidc-data", "x-amzn-oidc-accesstoken", "DPoP", "Authentication",
            "X-Authentication", "X-Api-Auth", "X-Auth", "hmac", "X-Shopify-Hmac-Sha256", "X-Hub-Signature-256", "sig",
            "X-Amz-Signature", "X-Amz-Credential", "X-Amz-Security-Token", "X-Goog-Signature", "connectionString",
            "webhook_secret", "csrfmiddlewaretoken", "XSRF-TOKEN", "_csrf", "pat", "id_token_hint", "refresh_token",
            "code", "key", "private_key", "account-key", "AccountKey", "SharedAccessKey", "jwt", "pwd", "page_token",
            "code_verifier", "secret_id", "recovery_codes", "password1", "password_hash", "key_ticket_secret",
        ]
    )
    func secret(name: String) {
        #expect(Redaction.isSecret(name: name))
        #expect(SecretNames.standard.contains(name))
    }

    @Test(
        "that only looks like that of a secret is not one",
        arguments: [
            "Accept", "Access-Control-Allow-Credentials", "Idempotency-Key", "idempotencyKey", "Surrogate-Key",
            "monkey",
            "Design", "keyboard", "token_type", "tokenType", "tokentype", "expires_in", "token_expires_at",
            "refresh_token_expires_in", "shipping", "spinner", "pinned", "pin_count", "passenger", "compass", "bypass",
            "passed", "author", "X-Author", "authors", "authority", "session_count", "session_timeout", "nonce",
            "state",
            "client_id", "scope", "username", "public_key", "publicKey", "primaryKey", "foreign_key", "max_tokens",
            "total_tokens", "x-ratelimit-remaining-tokens", "token_endpoint", "tokenUrl", "authorization_url",
            "client_assertion_type", "assertions", "WWW-Authenticate", "signature_algorithm", "country_code",
            "status_code", "zip_code", "error_code", "keys", "codec", "decode", "encoder", "significant", "sigma",
            "opinion", "topic", "stop", "hotpot", "inside", "outsider", "president", "tickets", "ticket_id", "patch",
            "path", "pattern", "hash", "X-Request-Id", "Key-Pair-Id", "cookie_policy", "secret_name", "", "-", "%", "_",
        ]
    )
    func plain(name: String) {
        #expect(!Redaction.isSecret(name: name))
    }

    @Test("that a service adds or excepts counts in every spelling, and the exceptions count first")
    func own() {
        let names = SecretNames(["X-Customer", "voucher", "plate"], plain: ["page_token", "Plate"])
        for name in ["x-customer", "xCustomer", "X_CUSTOMER", "x%2Dcustomer", "Voucher", "token"] {
            #expect(names.contains(name), "\(name)")
        }
        for name in ["pageToken", "page-token", "plate", "customer"] { #expect(!names.contains(name), "\(name)") }
        #expect(SecretNames(["api-key"]) == SecretNames(["apiKey"]))
    }

    @Test("decides also what crosses a redirect to another origin")
    func origin() throws {
        for name in ["Cf-Access-Jwt-Assertion", "DPoP", "X-Authentication", "X-User-Pass", "x-amzn-oidc-data"] {
            #expect(try #require(HTTPField.Name(name)).isBoundToOrigin, "\(name)")
        }
        #expect(try !#require(HTTPField.Name("X-Request-Id")).isBoundToOrigin)
    }
}
