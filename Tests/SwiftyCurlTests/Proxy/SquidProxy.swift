// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTesting
import SwiftyTransport

/// squid without a cache, in cleartext and over TLS, in a temporary folder, until this object is released.
///
/// Fails the test, instead of skipping it, if `squid` or `openssl` is missing.
// Safety: everything is constant; the process is used only in the initializer and the deinitializer.
final class SquidProxy: @unchecked Sendable {
    let address: HostAndPort
    let secureAddress: HostAndPort
    /// The certificate of the TLS port, for `localhost`, in PEM form.
    var certificate: String { "\(folder.path)/proxy.pem" }

    private let folder: URL
    private let process: ChildProcess

    /// Starts squid on a thread of its own, because it is slow and tests share few threads.
    ///
    /// - Parameters:
    ///   - login: The user name and password that it demands.
    ///   - tunnelPorts: The ports that CONNECT may lead to.
    static func start(login: String? = nil, tunnelPorts: [Int] = []) async throws -> SquidProxy {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try SquidProxy(login: login, tunnelPorts: tunnelPorts) })
            }
        }
    }

    private init(login: String?, tunnelPorts: [Int]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "swifty-squid-\(UUID().uuidString)")
        // squid writes its logs as another user if root starts it.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o777]
        )
        let ports = [try ServerPort.free(), try ServerPort.free()]
        address = HostAndPort(host: "127.0.0.1", port: ports[0])
        secureAddress = HostAndPort(host: "localhost", port: ports[1])
        try Self.makeCertificate(in: folder)
        try Self.loginHelper(login ?? "").write(to: folder.appending(path: "login"), atomically: true, encoding: .utf8)
        try Self.configuration(folder.path, ports: ports, asksLogin: login != nil, tunnelPorts: tunnelPorts)
            .write(to: folder.appending(path: "squid.conf"), atomically: true, encoding: .utf8)
        process = try ChildProcess(ExternalProgram.find("squid"), ["-N", "-f", "\(folder.path)/squid.conf"])
        try ExternalProgram.waitUntil(process, accepts: ports[0])
        try ExternalProgram.waitUntil(process, accepts: ports[1])
    }

    deinit {
        process.terminate()
        try? FileManager.default.removeItem(at: folder)
    }

    /// The lines of the access log: status for the client, method, target, user.
    var log: [String] {
        let text = (try? String(contentsOf: folder.appending(path: "access.log"), encoding: .utf8)) ?? ""
        // Mere checks whether squid listens are in the log, too.
        return text.split(separator: "\n").map(String.init).filter { !$0.contains("error:") }
    }

    private static func makeCertificate(in folder: URL) throws {
        let arguments =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost "
            + "-addext subjectAltName=DNS:localhost -keyout \(folder.path)/proxy.key -out \(folder.path)/proxy.pem"
        let openssl = try ChildProcess(
            ExternalProgram.find("openssl"),
            arguments.split(separator: " ").map(String.init)
        )
        guard openssl.wait() else { throw ExternalProgram.Unavailable(description: "openssl made no certificate") }
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o644],
            ofItemAtPath: folder.appending(path: "proxy.key").path
        )
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

/// A program outside the package that tests need.
enum ExternalProgram {
    struct Unavailable: Error, CustomStringConvertible {
        let description: String
    }

    static func find(_ name: String) throws -> URL {
        for folder in ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/usr/local/sbin", "/opt/homebrew/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return URL(filePath: path) }
        }
        throw Unavailable(description: "the tests need \(name): Scripts/install-dependencies --tests")
    }

    static func waitUntil(_ process: ChildProcess, accepts port: Int) throws {
        for _ in 0..<1000 {
            if accepts(port: port) { return }
            guard process.isRunning else { break }
            usleep(20_000)
        }
        throw Unavailable(description: "the program did not start to listen")
    }

    private static func accepts(port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
