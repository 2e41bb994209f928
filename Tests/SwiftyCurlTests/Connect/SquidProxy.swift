// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import TestSupport

/// squid without a cache, in cleartext and over TLS.
struct SquidProxy {
    private let server: PeerServer

    var address: HostAndPort { HostAndPort(host: "127.0.0.1", port: server.ports[0]) }
    var secureAddress: HostAndPort { HostAndPort(host: "localhost", port: server.ports[1]) }
    /// The certificate of the TLS port, for `localhost`, in PEM form.
    var certificate: String { server.folder.path("proxy.pem") }

    /// Starts squid.
    ///
    /// - Parameters:
    ///   - login: The user name and password that it demands.
    ///   - tunnelPorts: The ports that CONNECT may lead to.
    static func start(login: String? = nil, tunnelPorts: [Int] = []) async throws -> SquidProxy {
        // squid writes its logs as another user if root starts it, and reads its key as that user.
        let folder = try TemporaryFolder(permissions: 0o777)
        let files = try await CertificateFactory.run { factory in
            try factory.make("proxy", extensions: "basicConstraints=CA:TRUE\n" + CertificateFactory.name("localhost"))
            return try factory.files()
        }
        for (name, content) in files { try folder.file(name, content) }
        try folder.file("login", loginHelper(login ?? ""))
        let server = try await PeerServer.start(ExternalProgram.path("squid"), in: folder, ports: 2) { ports, folder in
            let text = configuration(folder.path, ports: ports, asksLogin: login != nil, tunnelPorts: tunnelPorts)
            return ["-N", "-f", try folder.file("squid.conf", text).path]
        }
        return SquidProxy(server: server)
    }

    /// The lines of the access log: status for the client, method, target, user.
    var log: [String] {
        // Mere checks whether squid listens are in the log, too.
        server.folder.lines("access.log").filter { !$0.contains("error:") }
    }

    /// Reads lines of percent-encoded user name and password, and writes a response to each.
    private static func loginHelper(_ login: String) -> String {
        "while read -r line; do if [ \"$line\" = \"\(login)\" ]; then echo OK; else echo ERR; fi; done\n"
    }

    private static func configuration(_ folder: String, ports: [Int], asksLogin: Bool, tunnelPorts: [Int]) -> String {
        let login = """
            auth_param basic program /bin/sh \(folder)/login
            auth_param basic children 2
            auth_param basic realm test
            acl known proxy_auth REQUIRED
            http_access deny !known
            """
        let tunnel = """
            acl tunnelPorts port \(tunnelPorts.map(String.init).joined(separator: " "))
            http_access deny CONNECT !tunnelPorts
            """
        return """
            http_port 127.0.0.1:\(ports[0])
            https_port 127.0.0.1:\(ports[1]) tls-cert=\(folder)/proxy.pem tls-key=\(folder)/proxy.key
            logformat facts %>Hs %rm %ru %un
            access_log stdio:\(folder)/access.log logformat=facts
            cache_log \(folder)/cache.log
            buffered_logs off
            coredump_dir \(folder)
            pid_filename none
            netdb_filename none
            cache deny all
            cache_mem 8 MB
            max_filedescriptors 1024
            workers 1
            shutdown_lifetime 0 seconds
            pinger_enable off
            visible_hostname squid.test
            \(tunnelPorts.isEmpty ? "http_access deny CONNECT" : tunnel)
            \(asksLogin ? login : "")
            http_access allow all

            """
    }
}
