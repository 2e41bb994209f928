// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// A successful response of a token endpoint (RFC 6749 §5.1).
///
/// Only the fields that a request needs can make it invalid: the access token and its type. An optional field in an
/// unexpected form is read as far as possible, or left out.
struct TokenResponse: Decodable {
    private let accessToken: String?
    /// `nil` if it is missing, as some servers have it.
    private let tokenType: String?
    /// The lifetime in seconds; `nil` if unknown.
    private let lifetime: TimeInterval?
    private let refreshToken: String?
    private let scope: String?

    private enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case tokenType = "token_type"
        case lifetime = "expires_in"
        case refreshToken = "refresh_token"
        case scope
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        accessToken = try? container.decodeIfPresent(String.self, forKey: .accessToken)
        // A type that is not a string is unknown.
        tokenType = try container.decodeIfPresent(String.self, forKey: .tokenType)
        lifetime = container.seconds(forKey: .lifetime)
        let number = try? container.decodeIfPresent(Int64.self, forKey: .refreshToken)
        let text = (try? container.decodeIfPresent(String.self, forKey: .refreshToken)) ?? number.map { String($0) }
        // An empty one cannot be sent; the old one stays.
        refreshToken = text?.isEmpty == true ? nil : text
        // Some servers send an array, such as Twitch.
        let scopes = try? container.decodeIfPresent([String].self, forKey: .scope)
        scope = (try? container.decodeIfPresent(String.self, forKey: .scope)) ?? scopes?.joined(separator: " ")
    }

    /// The reason for which no request can be sent with the token; `nil` if requests can be.
    var validationError: String? {
        guard let accessToken else { return "without an access token" }
        // A client must not use a token whose type it does not know (RFC 6749 §7.1).
        if let tokenType, tokenType.lowercased() != "bearer" { return "with a token that is not a bearer token" }
        // RFC 6749 §A.12; a bearer token has no space either (RFC 6750 §2.1).
        return accessToken.utf8.isVisibleASCII ? nil : "with a token that is not made of visible ASCII characters"
    }

    /// The tokens, without an expiry if the lifetime is unknown.
    ///
    /// - Parameters:
    ///   - start: The time at which they were requested: their lifetime began later.
    ///   - end: The time at which they arrived. They are used for at least a second, even if the server says that they
    ///     have expired: otherwise each load would request others.
    func token(requested start: Date, received end: Date) -> OAuth2.Token {
        let expiry = lifetime.flatMap { $0.isFinite ? start + min($0, 10 * 365 * 86_400) : nil }
        return OAuth2.Token(
            accessToken: accessToken ?? "",
            refreshToken: refreshToken,
            expiresAt: expiry.map { max($0, end + 1) },
            scope: scope
        )
    }
}

extension KeyedDecodingContainer {
    /// A number of seconds, which some servers write as a string; `nil` without one.
    func seconds(forKey key: Key) -> TimeInterval? {
        if let number = try? decodeIfPresent(TimeInterval.self, forKey: key) { return number }
        guard let text = try? decodeIfPresent(String.self, forKey: key) else { return nil }
        // `TimeInterval` also reads "0x10", "nan" and "inf".
        let isDecimal = text.utf8.allSatisfy { $0.isASCIIDigit || "+-.".utf8.contains($0) }
        return isDecimal ? TimeInterval(text) : nil
    }
}
