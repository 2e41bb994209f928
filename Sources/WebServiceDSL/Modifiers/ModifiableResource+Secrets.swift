// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension ModifiableResource {
    /// Marks a value as a secret of this request, which is hidden in everything that is printed or recorded of it.
    ///
    ///     server.post("services/\(team)/\(key)").secret(key).json(message)
    ///
    /// For secrets that Swifty cannot recognize by name or form: a part of a path, an address, a message. It knows most
    /// others by ``WebService/secretNames``. The value is found as it is, percent-encoded, escaped for JSON or HTML,
    /// and from 8 bytes on in Base64 and in hexadecimal digits; a short one is also found in other words. An empty
    /// value has no effect. Called several times, it marks several values.
    ///
    /// It changes what is shown, not what is sent.
    @discardableResult
    public func secret(_ value: String) -> Self {
        modify { $0.secrets = RequestSecrets.adding(value, to: $0.secrets) }
    }
}
