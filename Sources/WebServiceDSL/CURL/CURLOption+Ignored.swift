// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension CURLOption {
    /// Whether the request of the command is the same without the option, if it is not a part of the request.
    ///
    /// Any other option fails the load: it says what is sent, to where, or how the server is verified.
    ///
    /// - Parameter isSecure: Whether the URL is `https`. A redirect never leads from `https` to `http`, so that
    ///   `--proto '=https'` says nothing new.
    func isIgnored(isSecure: Bool) -> Bool {
        let name = name.hasPrefix("no-") && !Self.ignored.contains(name) ? String(name.dropFirst(3)) : name
        return Self.ignored.contains(name) || isSecure && ["proto", "proto-redir"].contains(name)
    }

    private static let ignored = Set(
        [output, messages, connections, policies].flatMap { names in names.split(separator: " ").map(String.init) }
    )

    /// Where the content goes: the caller of a load decides.
    private static let output = """
        create-dirs create-file-mode dump-header etag-save include no-clobber output-dir out-null remote-header-name \
        remote-name-all remote-time remove-on-error skip-existing xattr
        """

    private static let messages = """
        fail fail-early fail-with-body libcurl no-progress-meter parallel parallel-immediate parallel-max \
        parallel-max-host progress-bar rate show-error silent stderr styled-output suppress-connect-headers trace \
        trace-ascii trace-config trace-ids trace-time verbose write-out
        """

    /// How connections are made, without an effect on what they carry. Swifty requires TLS 1.2 without being asked.
    private static let connections = """
        expect100-timeout happy-eyeballs-timeout-ms http1.1 http2 http3 keepalive-cnt keepalive-time mptcp \
        no-keepalive no-sessionid noproxy ssl-no-revoke tcp-fastopen tcp-nodelay tlsv1 tlsv1.0 tlsv1.1 tlsv1.2
        """

    /// Policies that a `Swifty` and the modifiers of a request have. The limit of the content is set on the request.
    private static let policies = """
        junk-session-cookies location max-filesize max-redirs retry-all-errors retry-connrefused retry-delay \
        retry-max-time speed-limit speed-time
        """
}
