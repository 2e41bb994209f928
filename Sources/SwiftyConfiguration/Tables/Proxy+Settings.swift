// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration

import Swifty

extension TransportSettings {
    /// Proxies have user names and passwords, in their URLs as well: nothing of them is shown.
    static let proxyEntries: [SettingEntry<Self>] = [
        SettingEntry(
            "proxy.url",
            .proxy,
            sets: "proxy",
            isSecret: true,
            means: "The proxy, such as `http://proxy.example.com:3128`, or the variables of the environment."
        ) { _ in
            "none"
        } set: { settings, selection in
            settings.proxy = selection
        },
        SettingEntry("proxy.user", .text, sets: "proxy", isSecret: true, means: "The user name for the proxy.") { _ in
            "none"
        } set: { settings, user throws(WrongValue) in
            try settings.changeProxy { proxy, _ in proxy.user = user }
        },
        SettingEntry("proxy.password", .text, sets: "proxy", isSecret: true, means: "The password.") { _ in
            "none"
        } set: { settings, password throws(WrongValue) in
            try settings.changeProxy { proxy, _ in proxy.password = password }
        },
        SettingEntry(
            "proxy.exceptions",
            SettingKind.text.list(named: "hosts, domains and blocks of addresses"),
            sets: "proxy",
            means: "The hosts to which requests are sent without the proxy, as in `no_proxy`."
        ) { _ in
            "empty"
        } set: { settings, entries throws(WrongValue) in
            try settings.changeProxy { _, exceptions in exceptions = ProxyExceptions(entries) }
        },
    ]

    private mutating func changeProxy(_ change: (inout Proxy, inout ProxyExceptions) -> Void) throws(WrongValue) {
        guard case .proxy(var proxy, var exceptions) = proxy else { throw .needs("proxy.url") }
        change(&proxy, &exceptions)
        self.proxy = .proxy(proxy, exceptions: exceptions)
    }
}

extension SettingKind<TransportSettings.ProxySelection> {
    fileprivate static var proxy: Self {
        Self("URL, `environment`, or `none`") { raw throws(WrongValue) in
            switch raw.text {
            case "none": return .none
            case "environment": return .fromEnvironment
            default: break
            }
            do throws(TransportSettings.Proxy.ValidationError) {
                return .proxy(try TransportSettings.Proxy(raw.text))
            } catch {
                throw WrongValue.value("is not a proxy's URL: \(error.reason)")
            }
        } write: { _ in
            "none"
        }
    }
}
#endif
