// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
extension Array {
    /// The settings of a root that has the root of these as a property.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the keys.
    ///   - property: The path of the property, if it is not the prefix.
    ///   - path: The property.
    func below<Root, Parent>(
        _ prefix: String,
        property: String? = nil,
        at path: any WritableKeyPath<Parent, Root> & Sendable
    ) -> [SettingEntry<Parent>] where Element == SettingEntry<Root> {
        map { $0.moved(below: prefix, property: property ?? prefix, to: path) }
    }

    /// The settings of a root that may have the root of these as a property: the first of them adds it, or removes it
    /// with `none`, and the others have no effect without it.
    ///
    /// - Parameters:
    ///   - prefix: The beginning of the keys, and the path of the property.
    ///   - path: The property.
    ///   - start: The property to which the first setting is added.
    func below<Root: Sendable, Parent>(
        _ prefix: String,
        at path: any WritableKeyPath<Parent, Root?> & Sendable,
        startingWith start: Root
    ) -> [SettingEntry<Parent>] where Element == SettingEntry<Root> {
        enumerated().map { index, entry in
            entry.moved(below: prefix, to: path, startingWith: start, switch: index == 0 ? nil : self[0].key)
        }
    }
}

extension SettingEntry {
    fileprivate func moved<Parent>(
        below prefix: String,
        property: String,
        to path: any WritableKeyPath<Parent, Root> & Sendable
    ) -> SettingEntry<Parent> {
        moved(below: prefix, property: property) { parent in
            write(parent[keyPath: path])
        } set: { parent, raw throws(WrongValue) in
            try set(&parent[keyPath: path], raw)
        }
    }

    /// - Parameter key: The key of the setting that adds the property; `nil` for that setting.
    fileprivate func moved<Parent>(
        below prefix: String,
        to path: any WritableKeyPath<Parent, Root?> & Sendable,
        startingWith start: Root,
        switch key: String?
    ) -> SettingEntry<Parent> where Root: Sendable {
        guard let key else { return moved(below: prefix, toSwitch: path, startingWith: start) }
        return moved(below: prefix, property: prefix) { parent in
            write(parent[keyPath: path] ?? start)
        } set: { parent, raw throws(WrongValue) in
            guard var value = parent[keyPath: path] else { throw .needs(key) }
            try set(&value, raw)
            parent[keyPath: path] = value
        }
    }

    private func moved<Parent>(
        below prefix: String,
        toSwitch path: any WritableKeyPath<Parent, Root?> & Sendable,
        startingWith start: Root
    ) -> SettingEntry<Parent> where Root: Sendable {
        moved(below: prefix, property: prefix, kind: "\(kind), or `none`") { parent in
            parent[keyPath: path].map(write) ?? "none"
        } set: { parent, raw throws(WrongValue) in
            if raw.isNone {
                parent[keyPath: path] = nil
            } else {
                var value = parent[keyPath: path] ?? start
                try set(&value, raw)
                parent[keyPath: path] = value
            }
        }
    }

    private func moved<Parent>(
        below prefix: String,
        property: String,
        kind: String? = nil,
        write: @escaping @Sendable (Parent) -> String,
        set: @escaping @Sendable (inout Parent, RawValue) throws(WrongValue) -> Void
    ) -> SettingEntry<Parent> {
        var entry = SettingEntry<Parent>(
            prefix.appending(key: key),
            kind: kind ?? self.kind,
            shape: shape,
            property: property.appending(key: self.property),
            isSecret: isSecret,
            meaning: meaning,
            write: write
        ) { parent, raw throws(WrongValue) in
            do throws(WrongValue) {
                try set(&parent, raw)
            } catch {
                throw error.below(prefix)
            }
        }
        entry.excluded = excluded.map { prefix.appending(key: $0) }
        return entry
    }
}
#endif
