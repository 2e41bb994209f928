// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The rule that applies without a list. In doubt, a domain counts as a public suffix.
enum BuiltInSuffixes {
    /// Labels below which countries register names.
    private static let secondLevels: Set<String> = [
        "ac", "ad", "adm", "asn", "biz", "co", "com", "conf", "ed", "edu", "firm", "gc", "gen", "go", "gob", "gouv",
        "gov", "govt", "gr", "gub", "id", "idf", "idv", "ind", "inf", "info", "int", "k12", "lg", "ltd", "me", "mi",
        "mil", "mod", "msk", "muni", "my", "name", "ne", "net", "nhs", "nic", "nom", "nsw", "or", "org", "plc",
        "police", "pp", "press", "presse", "pro", "qld", "res", "sch", "school", "sld", "spb", "store", "tm", "vic",
        "web",
    ]

    static func length(of labels: [String]) -> Int {
        guard labels.count > 1, let country = labels.last, country.utf8.count == 2,
            secondLevels.contains(labels[labels.count - 2])
        else { return 1 }
        return 2
    }
}
