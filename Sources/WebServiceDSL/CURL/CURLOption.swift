// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// An option of curl, and its translation to Swift.
package struct CURLOption: Equatable {
    /// What becomes of an option that is not a part of the request.
    package enum Role: Equatable {
        /// The default behaviour of Swifty.
        case standard
        /// A setting of the `Swifty`, named in a comment.
        case setting(String)
        /// An option without a counterpart, named on standard error.
        case dropped
        /// An option that cannot be omitted without changing the request; the import fails.
        case refused(String)
    }

    /// The long name, without hyphens.
    package let name: String
    package let takesValue: Bool
    package let role: Role

    /// The option of a long name or a letter; `nil` if curl has none.
    package static func named(_ name: String) -> CURLOption? {
        if let option = byName[letters[name] ?? name] { return option }
        guard name.hasPrefix("no-"), let positive = byName[String(name.dropFirst(3))], !positive.takesValue else {
            return nil
        }
        return CURLOption(name: name, takesValue: false, role: .dropped)
    }
}

extension CURLOption {
    private static let byName: [String: CURLOption] = rows.reduce(into: [:]) { options, row in
        options[row.name] = CURLOption(
            name: row.name,
            takesValue: row.takesValue,
            role: settings[row.name].map(Role.setting) ?? refusals[row.name].map(Role.refused)
                ?? (standards.contains(row.name) ? .standard : .dropped)
        )
    }

    private static let letters: [String: String] = rows.reduce(into: [:]) { letters, row in
        if let letter = row.letter { letters[letter] = row.name }
    }

    private static let rows: [(letter: String?, name: String, takesValue: Bool)] = table.split {
        $0 == " " || $0.isNewline
    }.map { word in
        let takesValue = word.hasSuffix("=")
        let parts = (takesValue ? word.dropLast() : word).split(separator: "/")
        return (parts.count == 2 ? String(parts[0]) : nil, String(parts[parts.count - 1]), takesValue)
    }

    /// Swifty requests compressed content, sends passwords as Basic, and reads no `.curlrc`.
    private static let standards: Set<String> = ["compressed", "basic", "disable"]

    private static let settings: [String: String] = [
        "location": "redirects are followed",
        "location-trusted": "redirects are followed, but secrets stay with their server",
        "max-redirs": "redirects at most", "proto-redir": "schemes of redirects",
        "insecure": "the certificate is not verified: transport.tls.unverifiedHosts",
        "cacert": "authorities: transport.tls.trust", "cert": "certificate: transport.tls.identity",
        "key": "key of the certificate: transport.tls.identity", "pinnedpubkey": "pins: transport.tls.pins",
        "tlsv1.2": "TLS 1.2 at least: transport.tls.minimumVersion",
        "tlsv1.3": "TLS 1.3 at least: transport.tls.minimumVersion",
        "http1.1": "HTTP/1.1 alone: transport.connections.version",
        "http2": "HTTP/2: transport.connections.version", "ipv4": "IPv4 alone: transport.addresses.family",
        "ipv6": "IPv6 alone: transport.addresses.family", "proxy": "proxy: transport.proxy",
        "proxy-user": "user and password of the proxy: transport.proxy",
        "socks5": "SOCKS proxy: transport.proxy", "socks5-hostname": "SOCKS proxy that looks up names: transport.proxy",
        "resolve": "address: transport.addresses.overrides",
        "unix-socket": "socket: transport.addresses.unixSocketPath",
        "interface": "interface: transport.addresses.localInterface", "cookie-jar": "cookies are kept: cookies",
        "max-filesize": "bytes of content at most: transport.responses.contentLimit",
        "speed-time": "seconds of silence at most: timeouts.idle", "retry-all-errors": "retries after more: retry",
    ]

    private static let refusals: [String: String] = [
        "config": "The content of its file is not known.", "variable": "Its values are not known.",
        "next": "It begins a second request.", "help": "It sends no request.", "manual": "It sends no request.",
        "version": "It sends no request.", "ntlm": "Swifty has no NTLM.", "ntlm-wb": "Swifty has no NTLM.",
        "negotiate": "Swifty has no Negotiate.", "aws-sigv4": "Swifty makes no such signatures.",
        "anyauth": "The server would choose the authentication: name it, as with --digest.",
        "request-target": "Swifty sends the target of the URL.",
        "abstract-unix-socket": "Swifty has no abstract sockets.",
        "preproxy": "Swifty goes through one proxy.", "socks4": "Swifty has no SOCKS 4.",
        "socks4a": "Swifty has no SOCKS 4.", "mail-from": "It sends mail.", "mail-rcpt": "It sends mail.",
        "telnet-option": "It speaks Telnet.", "quote": "It speaks FTP.",
    ]

    /// All options of curl: `letter/name`, with `=` if a value follows.
    private static let table = """
        abstract-unix-socket= alt-svc= anyauth a/append aws-sigv4= basic ca-native cacert= capath= E/cert=
        cert-status cert-type= ciphers= compressed compressed-ssh K/config= connect-timeout= connect-to=
        C/continue-at= b/cookie= c/cookie-jar= create-dirs create-file-mode= crlf crlfile= curves= d/data=
        data-ascii= data-binary= data-raw= data-urlencode= delegation= digest q/disable disable-eprt disable-epsv
        disallow-username-in-url dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status
        doh-insecure doh-url= dump-ca-embed D/dump-header= ech= egd-file= engine= etag-compare= etag-save=
        expect100-timeout= f/fail fail-early fail-with-body false-start follow F/form= form-escape form-string=
        ftp-account= ftp-alternative-to-user= ftp-create-dirs ftp-method= ftp-pasv P/ftp-port= ftp-pret
        ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control G/get g/globoff happy-eyeballs-timeout-ms=
        haproxy-clientip= haproxy-protocol I/head H/header= h/help hostpubmd5= hostpubsha256= hsts= http0.9
        0/http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length i/include k/insecure
        interface= ip-tos= ipfs-gateway= 4/ipv4 6/ipv6 json= j/junk-session-cookies keepalive-cnt= keepalive-time=
        key= key-type= krb= libcurl= limit-rate= l/list-only local-port= L/location location-trusted login-options=
        mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails M/manual max-filesize= max-redirs= m/max-time=
        metalink mptcp negotiate n/netrc netrc-file= netrc-optional :/next no-alpn N/no-buffer no-clobber
        no-keepalive no-npn no-progress-meter no-sessionid noproxy= ntlm ntlm-wb oauth2-bearer= out-null o/output=
        output-dir= Z/parallel parallel-immediate parallel-max= parallel-max-host= pass= path-as-is pinnedpubkey=
        post301 post302 post303 preproxy= #/progress-bar proto= proto-default= proto-redir= x/proxy= proxy-anyauth
        proxy-basic proxy-ca-native proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers=
        proxy-crlfile= proxy-digest proxy-header= proxy-http2 proxy-insecure proxy-key= proxy-key-type=
        proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name= proxy-ssl-allow-beast
        proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser=
        proxy-tlsv1 U/proxy-user= proxy1.0= p/proxytunnel pubkey= Q/quote= random-file= r/range= rate= raw
        e/referer= J/remote-header-name O/remote-name remote-name-all R/remote-time remove-on-error X/request=
        request-target= resolve= retry= retry-all-errors retry-connrefused retry-delay= retry-max-time=
        sasl-authzid= sasl-ir service-name= S/show-error sigalgs= s/silent skip-existing socks4= socks4a= socks5=
        socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= Y/speed-limit=
        y/speed-time= ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort
        ssl-sessions= 2/sslv2 3/sslv3 stderr= styled-output suppress-connect-headers tcp-fastopen tcp-nodelay
        t/telnet-option= tftp-blksize= tftp-no-options z/time-cond= tls-earlydata tls-max= tls13-ciphers=
        tlsauthtype= tlspassword= tlsuser= 1/tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace= trace-ascii=
        trace-config= trace-ids trace-time unix-socket= T/upload-file= upload-flags= url= url-query= B/use-ascii
        u/user= A/user-agent= variable= v/verbose V/version vlan-priority= w/write-out= xattr
        """
}
