// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
/// Finds the key that was meant.
enum Similarity {
    /// The key that is nearly the same, or else the shortest one in which only letters are added; `nil` if there is
    /// none.
    static func closest(to key: Substring, in known: [Substring]) -> Substring? {
        let letters = Array(key.lowercased())
        let ranked = known.map { (key: $0, changes: changes(letters, Array($0.lowercased()))) }
        if let best = ranked.min(by: { $0.changes < $1.changes }), best.changes <= max(1, key.count / 4) {
            return best.key
        }
        return known.filter { $0.count <= 2 * key.count && isWithin(letters, $0.lowercased()) }
            .min { $0.count < $1.count }
    }

    /// Whether a longer text has all letters in the same order.
    private static func isWithin(_ letters: [Character], _ text: String) -> Bool {
        var rest = letters[...]
        for letter in text where letter == rest.first { rest.removeFirst() }
        return rest.isEmpty && !letters.isEmpty
    }

    /// The number of letters that are added, removed or replaced (Levenshtein's distance).
    private static func changes(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
#endif
