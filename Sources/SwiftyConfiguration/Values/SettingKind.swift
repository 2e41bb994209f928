// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
/// A kind of values: how they are read, written, and named in the documentation.
struct SettingKind<Value>: Sendable {
    /// The name in the table of the documentation.
    let name: String
    let shape: RawValue.Shape
    let read: @Sendable (RawValue) throws(WrongValue) -> Value
    let write: @Sendable (Value) -> String

    init(
        _ name: String,
        shape: RawValue.Shape = .text,
        read: @escaping @Sendable (RawValue) throws(WrongValue) -> Value,
        write: @escaping @Sendable (Value) -> String
    ) {
        (self.name, self.shape, self.read, self.write) = (name, shape, read, write)
    }

    /// A kind of values that are one text; lists are refused.
    ///
    /// - Parameters:
    ///   - name: The name in the table of the documentation.
    ///   - expectation: What the text must be, as in `"30" is not …`.
    ///   - shape: The form in which a provider is asked first.
    ///   - parse: Returns `nil` for text that is something else.
    ///   - write: Makes the text of a value.
    init(
        _ name: String,
        expectation: String,
        shape: RawValue.Shape = .text,
        parse: @escaping @Sendable (String) -> Value?,
        write: @escaping @Sendable (Value) -> String
    ) {
        self.init(name, shape: shape) { raw throws(WrongValue) in
            guard !raw.isList, let text = raw.parts.first, let value = parse(text) else {
                throw WrongValue(not: expectation)
            }
            return value
        } write: {
            write($0)
        }
    }

    /// The kind of values that are made from those of this kind.
    func converted<New>(
        named newName: String? = nil,
        to make: @escaping @Sendable (Value) throws(WrongValue) -> New,
        from old: @escaping @Sendable (New) -> Value
    ) -> SettingKind<New> {
        SettingKind<New>(newName ?? name, shape: shape) { raw throws(WrongValue) in
            try make(try read(raw))
        } write: {
            write(old($0))
        }
    }

    /// The kind of values that may be missing, which is written `none`.
    var orNone: SettingKind<Value?> {
        SettingKind<Value?>("\(name), or `none`", shape: shape) { raw throws(WrongValue) in
            raw.isNone ? nil : try read(raw)
        } write: { value in
            value.map(write) ?? "none"
        }
    }

    /// The kind of lists of such values; empty text is an empty list.
    func list(named newName: String) -> SettingKind<[Value]> {
        SettingKind<[Value]>("list of \(newName)", shape: .list) { raw throws(WrongValue) in
            var values: [Value] = []
            for part in raw.parts { values.append(try read(RawValue(part))) }
            return values
        } write: { values in
            values.isEmpty ? "empty" : values.map(write).joined(separator: ", ")
        }
    }
}
#endif
