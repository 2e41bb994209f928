// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

/// The codes of a device (RFC 8628 §3.2).
struct DeviceAuthorization: Sendable {
    /// The secret that is exchanged for tokens.
    let deviceCode: String
    let userCode: String
    let verificationURI: String
    let completeURI: String?
    let lifetime: Duration
    let interval: Duration

    func prompt(requested date: Date) -> OAuth2.DevicePrompt {
        OAuth2.DevicePrompt(
            userCode: userCode,
            verificationURI: verificationURI,
            verificationURIComplete: completeURI,
            expiresAt: date + lifetime / .seconds(1)
        )
    }
}

extension DeviceAuthorization {
    /// Longer ones are refused: the poll would seem to have no end.
    private static let longestLifetime: TimeInterval = 86_400
    private static let longestUserCode = 100

    /// - Throws: The reason for which no login is possible, as a part of a sentence.
    init(_ response: DeviceResponse) throws(Unusable) {
        guard let deviceCode = response.deviceCode, !deviceCode.isEmpty else { throw Unusable("without a device code") }
        guard let userCode = response.userCode, Self.canBeShown(userCode) else {
            throw Unusable("without a user code that can be shown")
        }
        guard let verificationURI = response.verificationURI, Self.canBeOpened(verificationURI) else {
            throw Unusable("without an http or https URL where the user enters the code")
        }
        guard let lifetime = response.lifetime, lifetime > 0, lifetime <= Self.longestLifetime else {
            throw Unusable("with a lifetime that is not between a second and a day")
        }
        let interval = Self.interval(response.interval)
        guard interval < lifetime else { throw Unusable("with an interval that is not shorter than the lifetime") }
        self.init(
            deviceCode: deviceCode,
            userCode: userCode,
            verificationURI: verificationURI,
            completeURI: response.completeURI.flatMap { Self.canBeOpened($0) ? $0 : nil },
            lifetime: .seconds(lifetime),
            interval: .seconds(interval)
        )
    }

    struct Unusable: Error {
        let reason: String

        init(_ reason: String) { self.reason = reason }
    }

    /// The interval in seconds: 5 by default, and at least one.
    private static func interval(_ value: TimeInterval?) -> TimeInterval {
        guard let value, value >= 0 else { return 5 }
        return max(value, 1)
    }

    private static func canBeShown(_ code: String) -> Bool {
        (1...longestUserCode).contains(code.unicodeScalars.count)
            && !code.unicodeScalars.contains(where: Redaction.isControl)
            && !code.allSatisfy(\.isWhitespace)
    }

    private static func canBeOpened(_ uri: String) -> Bool {
        uri.utf8.isVisibleASCII && (try? TargetURI(String(uri.prefix { $0 != "#" }))) != nil
    }
}

/// The response of a device authorization endpoint, as far as it could be read.
struct DeviceResponse: Decodable {
    let deviceCode: String?
    let userCode: String?
    let verificationURI: String?
    let completeURI: String?
    /// In seconds.
    let lifetime: TimeInterval?
    /// In seconds.
    let interval: TimeInterval?

    private enum CodingKeys: String, CodingKey {
        case deviceCode = "device_code"
        case userCode = "user_code"
        case verificationURI = "verification_uri"
        /// Google's name.
        case verificationURL = "verification_url"
        case completeURI = "verification_uri_complete"
        case lifetime = "expires_in"
        case interval
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text(_ key: CodingKeys) -> String? { try? container.decodeIfPresent(String.self, forKey: key) }
        deviceCode = text(.deviceCode)
        userCode = text(.userCode)
        verificationURI = text(.verificationURI) ?? text(.verificationURL)
        completeURI = text(.completeURI)
        lifetime = container.seconds(forKey: .lifetime)
        interval = container.seconds(forKey: .interval)
    }
}

extension TokenEndpoint {
    /// The request for a device code (RFC 8628 §3.1), with the client's identity.
    func deviceRequest(at url: String, _ fields: [String: String]) -> NetworkResource {
        resource(at: url, fields).name("OAuth2 device authorization")
    }

    /// Sends such a request.
    ///
    /// - Throws: ``OAuth2/TokenError``, or the ``SwiftyError`` of the load.
    func requestDeviceCode(_ request: NetworkResource) async throws -> DeviceAuthorization {
        let response = try await request.load()
        let content = try success(of: response, redactor())
        guard let fields = try? content.decode(DeviceResponse.self) else {
            throw OAuth2.TokenError.unexpectedResponse(
                statusCode: response.statusCode ?? 0,
                reason: "which is not a device authorization response"
            )
        }
        do throws(DeviceAuthorization.Unusable) {
            return try DeviceAuthorization(fields)
        } catch {
            throw OAuth2.TokenError.unexpectedResponse(statusCode: response.statusCode ?? 0, reason: error.reason)
        }
    }
}
