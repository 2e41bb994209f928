// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// A header field with the time that is left for a request, which a server can keep as well.
///
///     let swifty = Swifty { $0.deadlineField = .grpcTimeout }                         // grpc-timeout: 800m
///
///     let left = request.headers["grpc-timeout"].flatMap(DeadlineField.grpcTimeout.time)
///     try await withDeadline(left) { … }                                             // in the server
public struct DeadlineField: Sendable {
    /// The name of the field.
    public let name: HTTPField.Name
    private let format: @Sendable (Duration) -> String
    private let parse: @Sendable (String) -> Duration?

    /// Makes a field.
    ///
    /// - Parameters:
    ///   - name: The name of the field.
    ///   - format: Makes the value of a time, which is more than zero.
    ///   - parse: Reads a value; returns `nil` for what is malformed.
    public init(
        _ name: HTTPField.Name,
        format: @escaping @Sendable (Duration) -> String,
        parse: @escaping @Sendable (String) -> Duration?
    ) {
        (self.name, self.format, self.parse) = (name, format, parse)
    }

    /// The field of gRPC: up to eight digits and a unit, from hours (`H`) to nanoseconds (`n`).
    ///
    /// Source: https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
    public static let grpcTimeout = DeadlineField(.literal("grpc-timeout"), format: GRPCTimeout.text) {
        GRPCTimeout.time($0)
    }

    /// A field with whole milliseconds.
    public static func milliseconds(_ name: HTTPField.Name) -> DeadlineField {
        DeadlineField(name) { time in
            "\(max(time.whole(.milliseconds(1)), 1))"
        } parse: { text in
            DecimalDigits.value(text).map { .milliseconds($0) }
        }
    }

    /// The value for a time, rounded down, since the server must not have more of it than the client.
    public func text(for time: Duration) -> String { format(time) }

    /// The time of a value; `nil` if it is malformed.
    public func time(_ text: String) -> Duration? { parse(text) }
}

extension NetworkRequest {
    /// The request, limited to the time until a deadline, of which its server is told in a field.
    func limited(to deadline: Deadline?, _ field: DeadlineField?) -> NetworkRequest {
        guard let deadline else { return self }
        var request = self
        request.timeouts.total = deadline.timeLimit
        if let field, leavesOpen(field.name) { request.headers[field.name] = field.text(for: deadline.timeLimit) }
        return request
    }

    /// The request, limited likewise, which may share its transfer: other loads of the transfer may have more time, so
    /// its server is not told this one's.
    func limited(to deadline: Deadline?, sharing share: TransferShare) -> NetworkRequest {
        var request = limited(to: deadline, nil)
        request.share = share
        return request
    }
}

/// The format of `grpc-timeout`.
private enum GRPCTimeout {
    private static let units: [(unit: Character, length: Duration)] = [
        ("n", .nanoseconds(1)), ("u", .microseconds(1)), ("m", .milliseconds(1)), ("S", .seconds(1)),
        ("M", .seconds(60)), ("H", .seconds(3600)),
    ]
    private static let maximum = 99_999_999

    /// In the smallest unit that has room for the time.
    static func text(_ time: Duration) -> String {
        let fitting = units.first { time.whole($0.length) <= maximum } ?? units[units.count - 1]
        return "\(min(max(time.whole(fitting.length), 1), maximum))\(fitting.unit)"
    }

    static func time(_ text: String) -> Duration? {
        guard let unit = units.first(where: { $0.unit == text.last }), text.utf8.count <= 9,
            let count = DecimalDigits.value(text.dropLast())
        else { return nil }
        return unit.length * count
    }
}

private enum DecimalDigits {
    /// The value of up to 15 digits, which no unit makes too large; `nil` for anything else.
    static func value(_ text: some StringProtocol) -> Int? {
        guard (1...15).contains(text.utf8.count), text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
        return Int(text)
    }
}

extension Duration {
    /// How many times a unit fits into the time, at most `Int.max`.
    fileprivate func whole(_ unit: Duration) -> Int {
        Int(clamping: attoseconds / unit.attoseconds)
    }
}
