// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// Finds the subcommand or the method that a misspelt word probably means.
enum Misspelling {
    /// The hint for a wrong usage that begins with this word; `nil` if it is not misspelt.
    static func hint(for word: String) -> String? {
        subcommand(for: word).map { "Did you mean swifty \($0)?" } ?? method(for: word).map { "Did you mean \($0)?" }
    }

    /// The subcommand that is nearest to the word; `nil` if none is near, or if the word is a subcommand or a method.
    static func subcommand(for word: String) -> String? {
        nearest(to: word, in: SwiftyCommand.subcommandNames)
    }

    /// The method that is nearest to the word; `nil` if none is near, or if the word is a subcommand or a method.
    static func method(for word: String) -> String? {
        nearest(to: word, in: RequestLine.commonMethods.map { $0.lowercased() }.sorted())?.uppercased()
    }

    private static func nearest(to word: String, in names: [String]) -> String? {
        let isWord = word.count > 2 && word.allSatisfy { $0.isASCII && $0.isLowercase }
        let isRight = SwiftyCommand.subcommandNames.contains(word)
        guard isWord, !isRight, !RequestLine.commonMethods.contains(word.uppercased()) else { return nil }
        return nearest(to: word, among: names)
    }

    /// The name that is nearest to the word; `nil` if none is near.
    static func nearest(to word: String, among names: [String]) -> String? {
        guard !word.isEmpty else { return nil }
        let limit = word.count < 5 ? 1 : 2
        let near = names.filter { !$0.isEmpty }.map { (name: $0, distance: distance(Array(word), Array($0))) }
        return near.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }

    /// The number of characters to insert, to remove, to replace or to swap with the next one. Neither word is empty.
    private static func distance(_ one: [Character], _ other: [Character]) -> Int {
        var rows = [Array(0...other.count)]
        for i in 1...one.count {
            var row = [i]
            for j in 1...other.count {
                let replaced = rows[i - 1][j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1)
                var best = min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced)
                if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
                    best = min(best, rows[i - 2][j - 2] + 1)
                }
                row.append(best)
            }
            rows.append(row)
        }
        return rows[one.count][other.count]
    }
}
