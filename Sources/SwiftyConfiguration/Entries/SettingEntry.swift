// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
/// A row of the table of settings: the key of a setting, its values, and the property that it sets.
struct SettingEntry<Root>: Sendable {
    let key: String
    /// The kind of its values, as the documentation names it.
    let kind: String
    let shape: RawValue.Shape
    /// The path of the property that it sets.
    let property: String
    let isSecret: Bool
    let meaning: String
    /// The text of the value that a root has.
    let write: @Sendable (Root) -> String
    let set: @Sendable (inout Root, RawValue) throws(WrongValue) -> Void
    /// The key of a setting that cannot be given together with this one.
    var excluded: String?

    init(
        _ key: String,
        kind: String,
        shape: RawValue.Shape,
        property: String,
        isSecret: Bool,
        meaning: String,
        write: @escaping @Sendable (Root) -> String,
        set: @escaping @Sendable (inout Root, RawValue) throws(WrongValue) -> Void
    ) {
        (self.key, self.kind, self.shape) = (key, kind, shape)
        (self.property, self.isSecret, self.meaning) = (property, isSecret, meaning)
        (self.write, self.set) = (write, set)
    }
}

extension SettingEntry {
    /// A setting that is one property, whose name is the key.
    init<Value>(
        _ key: String,
        _ kind: SettingKind<Value>,
        sets path: any WritableKeyPath<Root, Value> & Sendable,
        isSecret: Bool = false,
        means meaning: String
    ) {
        self.init(key, kind, sets: key, isSecret: isSecret, means: meaning) { root in
            kind.write(root[keyPath: path])
        } set: { root, value in
            root[keyPath: path] = value
        }
    }

    /// A setting that is one property, whose name is the key, and which `none` removes.
    init<Value>(
        _ key: String,
        _ kind: SettingKind<Value>,
        setsOrRemoves path: any WritableKeyPath<Root, Value?> & Sendable,
        means meaning: String
    ) {
        self.init(key, kind.orNone, sets: path, means: meaning)
    }

    /// A setting that is a part of a property.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - kind: The kind of its values.
    ///   - property: The path of the property.
    ///   - isSecret: Whether messages hide the value.
    ///   - meaning: The sentence of the documentation.
    ///   - write: Makes the text of the value that a root has.
    ///   - set: Sets the value.
    init<Value>(
        _ key: String,
        _ kind: SettingKind<Value>,
        sets property: String,
        isSecret: Bool = false,
        means meaning: String,
        write: @escaping @Sendable (Root) -> String,
        set: @escaping @Sendable (inout Root, Value) throws(WrongValue) -> Void
    ) {
        self.init(
            key,
            kind: kind.name,
            shape: kind.shape,
            property: property,
            isSecret: isSecret,
            meaning: meaning,
            write: write
        ) { root, raw throws(WrongValue) in
            try set(&root, try kind.read(raw))
        }
    }
}

extension SettingEntry {
    /// The setting, which cannot be given together with another one.
    func excluding(_ key: String) -> Self {
        var entry = self
        entry.excluded = key
        return entry
    }
}
#endif
