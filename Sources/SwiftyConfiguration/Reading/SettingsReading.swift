// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Configuration
import Swifty

/// One reading of settings: all values that a snapshot has, or all that is wrong with them.
struct SettingsReading<Root: Sendable>: Sendable {
    let entries: [SettingEntry<Root>]
    let scope: Scope
    /// The values that were found, by key.
    private(set) var values: [String: RawValue] = [:]
    private(set) var problems: [Swifty.SettingsError.Problem] = []
    /// The keys that have problems.
    private var wrongKeys: Set<String> = []

    /// Reads the settings of a snapshot into a value.
    init(_ entries: [SettingEntry<Root>], of snapshot: ConfigSnapshotReader, at key: ConfigKey, into root: inout Root) {
        self.entries = entries
        scope = Scope(key)
        let reader = ValueReader(reader: snapshot.scoped(to: key))
        for entry in entries { find(entry, with: reader) }
        for entry in entries { set(entry, of: &root) }
    }

    private mutating func find(_ entry: SettingEntry<Root>, with reader: ValueReader) {
        do throws(WrongValue) {
            values[entry.key] = try reader.value(of: entry.key, as: entry.shape, isSecret: entry.isSecret)
        } catch {
            note(error, of: entry, value: nil)
        }
    }

    private mutating func set(_ entry: SettingEntry<Root>, of root: inout Root) {
        guard let value = values[entry.key] else { return }
        do throws(WrongValue) {
            if let excluded = entry.excluded, values[excluded] != nil {
                throw .key("cannot be used together with \(scope.key(excluded))")
            }
            try entry.set(&root, value)
        } catch {
            note(error, of: entry, value: value)
        }
    }

    private mutating func note(_ error: WrongValue, of entry: SettingEntry<Root>, value: RawValue?) {
        // What depends on a wrong setting is not wrong itself.
        if case .needs(let key) = error, wrongKeys.contains(key) { return }
        wrongKeys.insert(entry.key)
        problems.append(Swifty.SettingsError.Problem(entry, at: scope, value: value, because: error))
    }
}

extension SettingsReading {
    /// Reads settings into a value, which changes only if all of them can be used.
    ///
    /// - Throws: ``Swifty/SettingsError`` with all problems.
    static func read(
        _ entries: [SettingEntry<Root>],
        of reader: ConfigReader,
        at key: ConfigKey,
        into root: inout Root
    ) throws(Swifty.SettingsError) {
        var changed = root
        let reading = SettingsReading(entries, of: reader.snapshot(), at: key, into: &changed)
        guard reading.problems.isEmpty else { throw Swifty.SettingsError(problems: reading.problems) }
        root = changed
    }
}
#endif
