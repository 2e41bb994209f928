// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport
import Testing

@testable import SwiftyTransport

@Suite("The description of an error", .timeLimit(.minutes(15)))
struct ErrorDescriptionTests {
    /// An error of a hook, with a description of its own.
    private struct Odd: Error, CustomStringConvertible {
        let description: String
    }

    /// All codes, read from the source.
    private static let codes: [SwiftyError.Code] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
        let file = root.appending(path: "SwiftyTransport/Outcome/SwiftyError+Code.swift").standardizedFileURL
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.matches(of: /static let \w+ = Code\("(\w+)"\)/).map { SwiftyError.Code(rawValue: String($0.1)) }
    }()

    private static let stages: [SwiftyError.Stage] = [
        .building, .constraint, .requestInterceptor, .queue, .nameLookup, .connect, .tls, .send, .firstByte, .head,
        .content,
        .validation, .responseInterceptor, .decoding,
    ]
    private static let reasons = [
        "", " ", "refused", "refused ", " refused", "refused by  peer", "refused:\t", "a\r\n b", "\u{2028}",
        "a\u{A0} b",
    ]
    private static let requests: [NetworkRequest.Summary?] = [
        nil, NetworkRequest.Summary(method: "GET", url: "https://a/b"), NetworkRequest.Summary(method: "GET", url: ""),
        NetworkRequest.Summary(method: "GET", url: "https://a/b", template: "b", name: "two  blanks "),
    ]
    private static let causes: [(any Error)?] = [
        nil, Odd(description: ""), Odd(description: " what  went\nwrong "), CancellationError(),
    ]
    private static let heads: [ResponseHead?] = [
        nil, ResponseHead(statusCode: 404), ResponseHead(statusCode: 599),
        ResponseHead(statusCode: 404, reasonPhrase: " Not  Found ", headers: [.server: "a  b"]),
    ]

    private func check(_ text: String, _ name: String) {
        #expect(text.split(whereSeparator: \.isWhitespace).joined(separator: " ") == text, "\(name)")
        #expect(text.last != ":", "\(name): \(text)")
        #expect(!text.isEmpty, "\(name)")
    }

    @Test("has single spaces, and none at its ends, for every combination of parts", arguments: codes)
    func tidy(_ code: SwiftyError.Code) {
        for stage in Self.stages {
            for reason in Self.reasons {
                for (request, cause) in Self.requests.flatMap({ request in Self.causes.map { (request, $0) } }) {
                    var error = SwiftyError(code, stage: stage, reason: reason, underlying: cause)
                    error.request = request
                    check("\(error)", "\(code) \(stage)")
                    #expect("\(error)".contains("(\(code.rawValue), \(stage.rawValue))"))
                }
            }
        }
    }

    @Test("does not depend on head, content and metrics, which may contain other white space")
    func parts() {
        for (head, body) in Self.heads.flatMap({ head in [nil, Data(), Data("a  b ".utf8)].map { (head, $0) } }) {
            var error = SwiftyError(.unacceptableStatus, stage: .validation, sent: .responded, reason: "no")
            (error.head, error.content, error.metrics) = (head, body, LoadMetrics())
            #expect("\(error)" == "The request failed (unacceptableStatus, validation): no")
            if let head { check("\(head)", "head") }
        }
        #expect(Self.heads.map { $0?.statusText ?? "" } == ["", "404", "599", "404  Not  Found "])
    }

    @Test("covers all codes, each with its own number for NSError")
    func numbers() {
        #expect(Self.codes.count > 45)
        #expect(Self.codes.contains(.serverNotAuthenticated))
        #expect(Set(Self.codes) == SwiftyError.Code.all)
        let numbers = Self.codes.map { code in
            let error = SwiftyError(code, stage: .queue) as NSError
            return "\(error.domain) \(error.code)"
        }
        #expect(!numbers.contains("SwiftyErrorDomain 199"))
        // A missing value and one of another type have the same number in Flipkart's Swifty.
        #expect(Set(numbers).count == numbers.count - 1, "\(numbers.sorted())")
    }

    @Test("says whether the load would not have been secure")
    func security() {
        let codes = Self.codes.filter { SwiftyError($0, stage: .tls).isSecurityError }
        #expect(codes.contains(.certificateInvalid) && codes.contains(.addressDenied))
        #expect(!codes.contains(.timedOut) && !codes.contains(.connectionFailed))
        #expect(codes.count == 9)
    }

    @Test("of every other error has single spaces, too")
    func others() {
        for url in ["", " ", "x", "https://", "https://a b/", "https://a:99999/", "https://u@h/", "http://[::/", "a:b"]
        {
            let error = #expect(throws: TargetURI.ValidationError.self) { try TargetURI(url) }
            check(error?.reason ?? "", url)
            let proxy = #expect(throws: TransportSettings.Proxy.ValidationError.self) {
                try TransportSettings.Proxy(url + " ")
            }
            check(proxy?.reason ?? "", url)
        }
        for number in Int32(1)...133 {
            check(FileFailure(reading: number).reason, "\(number)")
            check(FileFailure(errorNumber: number).reason, "\(number)")
        }
    }

    @Test(
        "has a hint for a certificate, with the names of the settings or of the program",
        arguments: [
            ("SSL certificate problem: self-signed certificate", true),
            ("SSL certificate problem: self signed certificate", true),
            ("SSL certificate problem: self-signed certificate in certificate chain", true),
            ("SSL certificate problem: unable to get local issuer certificate", true),
            ("SSL certificate problem: unable to verify the first certificate", true),
            ("SSL certificate problem: certificate has expired", false),
        ]
    )
    func hint(reason: String, helpsToTrust: Bool) {
        let error = SwiftyError(.certificateInvalid, stage: .tls, reason: reason)
        let line = "The request failed (certificateInvalid, tls): \(reason)"
        let trust = "TransportSettings.tls.trust trusts another authority; "
        let unverified = "TransportSettings.tls.unverifiedHosts skips the check (not safe)"
        #expect(error.hint == (helpsToTrust ? trust : "") + unverified)
        #expect(error.description == "\(line) (\(error.hint ?? ""))")
        #expect(error.descriptionWithoutHint == line)
        let named = error.hint { $0 == .trust ? "--ca FILE" : "--verify no" } ?? ""
        #expect(named.contains("--verify no skips"))
        #expect(named.contains("--ca FILE trusts") == helpsToTrust)
        #expect(SwiftyError(.tlsFailed, stage: .tls, reason: reason).hint == nil)
    }

    @Test(
        "says how the check of the name can be skipped",
        arguments: [
            "SSL: no alternative certificate subject name matches target host name 'a'",
            "SSL: no alternative certificate subject name matches target ipv4 address '127.0.0.1'",
            "SSL: certificate subject name 'b' does not match target host name 'a'",
        ]
    )
    func nameHint(reason: String) {
        let error = SwiftyError(.certificateInvalid, stage: .tls, reason: reason)
        #expect(error.hint == "TransportSettings.tls.unverifiedNames skips the check of the name (not safe)")
        #expect(error.hint { _ in "--verify chain" } == "--verify chain skips the check of the name (not safe)")
    }
}
