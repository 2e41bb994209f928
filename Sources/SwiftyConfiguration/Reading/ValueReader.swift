// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Configuration

/// Reads the values of a snapshot in whatever form its providers have them.
struct ValueReader {
    /// The reader, with the scope of the settings.
    let reader: ConfigSnapshotReader

    /// The value of a key; `nil` if no provider has one.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - shape: The form that is asked for first.
    ///   - isSecret: Whether reports of accesses hide the value.
    /// - Throws: ``WrongValue`` if a provider fails, or has something that no setting can be.
    func value(
        of key: String,
        as shape: RawValue.Shape,
        isSecret: Bool
    ) throws(WrongValue) -> RawValue? {
        let key = ConfigKey(key)
        do {
            return try requiredValue(of: key, as: shape, isSecret: isSecret)
        } catch {
            if MissingValue.isCause(of: error) { return nil }
            if let value = convertedValue(of: key, as: shape, isSecret: isSecret) { return value }
            // The description of the error may contain the value.
            throw .key(isSecret ? "cannot be read" : "cannot be read: \(error)")
        }
    }

    private func requiredValue(of key: ConfigKey, as shape: RawValue.Shape, isSecret: Bool) throws -> RawValue {
        switch shape {
        case .text, .boolean: RawValue(try reader.requiredString(forKey: key, isSecret: isSecret))
        case .list: RawValue(list: try reader.requiredStringArray(forKey: key, isSecret: isSecret))
        }
    }

    /// The value in another form than the one that was asked for.
    private func convertedValue(of key: ConfigKey, as shape: RawValue.Shape, isSecret: Bool) -> RawValue? {
        if shape == .boolean, let value = boolean(of: key, isSecret) { return RawValue("\(value)") }
        if shape == .list, let text = reader.string(forKey: key, isSecret: isSecret) {
            return RawValue(list: text.split(separator: ",").map { $0.trimmed })
        }
        if let value = reader.int(forKey: key, isSecret: isSecret) { return RawValue("\(value)") }
        if let value = reader.double(forKey: key, isSecret: isSecret) { return RawValue("\(value)") }
        if let value = reader.bool(forKey: key, isSecret: isSecret) { return RawValue("\(value)") }
        return list(of: key, isSecret: isSecret).map { RawValue(list: $0) }
    }

    /// A Boolean, but not a number other than 0 and 1, which the providers of files make `true`.
    private func boolean(of key: ConfigKey, _ isSecret: Bool) -> Bool? {
        let number = reader.double(forKey: key, isSecret: isSecret)
        return number == nil || number == 0 || number == 1 ? reader.bool(forKey: key, isSecret: isSecret) : nil
    }

    private func list(of key: ConfigKey, isSecret: Bool) -> [String]? {
        if let values = reader.stringArray(forKey: key, isSecret: isSecret) { return values }
        if let values = reader.intArray(forKey: key, isSecret: isSecret) { return values.map { "\($0)" } }
        if let values = reader.doubleArray(forKey: key, isSecret: isSecret) { return values.map { "\($0)" } }
        return reader.boolArray(forKey: key, isSecret: isSecret)?.map { "\($0)" }
    }
}

/// Tells a key without a value from a value that cannot be read: swift-configuration has one type of error for both, to
/// which other packages have no access.
private enum MissingValue {
    private static let key = "missing-value-of-swifty"

    /// The type of the error, and the words around the key.
    private static let sample: (type: any Error.Type, before: Substring, after: Substring)? = {
        let reader = ConfigReader(provider: InMemoryProvider(values: [:])).snapshot()
        do {
            _ = try reader.requiredString(forKey: ConfigKey(key))
            return nil
        } catch {
            let text = "\(error)"
            return text.firstRange(of: key).map { (type(of: error), text[..<$0.lowerBound], text[$0.upperBound...]) }
        }
    }()

    /// Whether the error is that of a key without a value.
    static func isCause(of error: any Error) -> Bool {
        guard let sample, type(of: error) == sample.type else { return false }
        let text = "\(error)"
        return text.hasPrefix(sample.before) && text.hasSuffix(sample.after)
    }
}
#endif
