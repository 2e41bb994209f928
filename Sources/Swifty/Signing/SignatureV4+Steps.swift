// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

import struct Foundation.Date

extension SignatureV4 {
    /// A time in UTC, as it is signed.
    struct Time: Sendable, Hashable {
        /// `20150830T123600Z`.
        let timestamp: String
        /// `20150830`.
        let day: String

        /// A date outside of the years 1970 to 9999 becomes the nearest one in them.
        init(_ date: Date) {
            let interval = min(max(date.timeIntervalSince1970.rounded(.down), 0), Self.end)
            let (days, second) = (Int(exactly: interval) ?? 0).quotientAndRemainder(dividingBy: 86_400)
            let date = CalendarDate(daysSince1970: days)
            day = [(date.year, 4), (date.month, 2), (date.day, 2)].map(Self.digits).joined()
            let clock = [(second / 3600, 2), (second / 60 % 60, 2), (second % 60, 2)].map(Self.digits).joined()
            timestamp = "\(day)T\(clock)Z"
        }

        /// 9999-12-31 23:59:59.
        private static let end = 253_402_300_799.0

        private static func digits(_ number: Int, count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
    }

    /// What a signature is valid for, besides its request.
    func scope(at time: Time) -> String {
        "\(time.day)/\(region)/\(service)/aws4_request"
    }

    /// Computes a signature.
    ///
    /// - Parameters:
    ///   - message: The request, in whose header fields everything is that is signed.
    ///   - parameters: The encoded parameters of its query.
    ///   - time: The time of signing.
    func steps(for message: Message, parameters: [Field], at time: Time) -> Steps {
        let fields = signedFields(of: message)
        let names = fields.map(\.name).joined(separator: ";")
        let request = [
            message.method,
            canonicalPath(message.path),
            Self.canonicalQuery(parameters),
            fields.map { "\($0.name):\($0.value)\n" }.joined(),
            names,
            message.payloadHash,
        ].joined(separator: "\n")
        let hash = SHA256.hash(Array(request.utf8)).hexadecimal
        let string = [Self.algorithm, time.timestamp, scope(at: time), hash].joined(separator: "\n")
        return Steps(
            canonicalRequest: request,
            stringToSign: string,
            signature: HMACSHA256.code(of: string.utf8, key: signingKey(at: time)).hexadecimal,
            signedNames: names
        )
    }

    /// The key of one day, one region and one service: who has it cannot compute the secret, or the key of another day.
    private func signingKey(at time: Time) -> [UInt8] {
        let secret = Array("AWS4\(credentials.secretAccessKey)".utf8)
        return [time.day, region, service, "aws4_request"].reduce(secret) { key, part in
            HMACSHA256.code(of: part.utf8, key: key)
        }
    }
}
