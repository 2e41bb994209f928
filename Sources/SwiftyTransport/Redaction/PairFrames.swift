// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The state of the enclosing objects, whose members may be a name and its value.
struct PairFrames {
    private struct Frame {
        var kind: SecretKind?
        var value: Range<Int>?
    }

    private var frames: [Frame] = []
    /// The number of objects that are open beyond those that are kept.
    private var excess = 0
    private static let maximumCount = 256
    /// Whether a line of YAML had the name of a secret, whose value is on the next line.
    var isLineSecret = false

    mutating func open() {
        if frames.count < Self.maximumCount { frames.append(Frame()) } else { excess += 1 }
    }

    mutating func close() {
        if excess > 0 { excess -= 1 } else { _ = frames.popLast() }
    }

    /// Records that the object has the name of a secret.
    ///
    /// - Returns: The value, if it came before the name.
    mutating func foundName(_ kind: SecretKind) -> Range<Int>? {
        guard excess == 0, !frames.isEmpty else { return nil }
        defer { frames[frames.count - 1].value = nil }
        frames[frames.count - 1].kind = kind
        return frames[frames.count - 1].value
    }

    /// Records a value.
    ///
    /// - Returns: The kind of its name, if that came before the value and is the name of a secret.
    mutating func foundValue(_ range: Range<Int>) -> SecretKind? {
        guard excess == 0, let last = frames.last else { return nil }
        if last.kind == nil { frames[frames.count - 1].value = range }
        return last.kind
    }
}
