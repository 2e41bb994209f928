// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// The configuration of nginx: one process, which leaves the client one of two cores.
struct NginxConfiguration {
    let folder: String
    let ports: NginxPorts

    static let mostHosts = 1_000
    /// The numbers of header fields that responses can have beside the usual ones. hyper, reqwest and AsyncHTTPClient
    /// refuse hundreds.
    static let fieldCounts = [10, 80]

    var text: String {
        """
        daemon off; worker_processes 1; worker_rlimit_nofile 20000;
        pid \(folder)/nginx.pid; error_log \(folder)/error.log crit;
        events { worker_connections 16384; }
        http {
            access_log off; keepalive_requests 1000000000; keepalive_timeout 1h; tcp_nodelay on; sendfile on;
            \(temporaryFolders)
            client_max_body_size 64m; client_body_buffer_size 32m; client_header_buffer_size 8k;
            large_client_header_buffers 4 64k;
            ssl_certificate \(folder)/certificate.pem; ssl_certificate_key \(folder)/key.pem;
            # Every handshake is a whole one: clients differ in whether they resume sessions.
            ssl_session_tickets off; ssl_session_cache off;
            default_type application/json;
            upstream itself { server 127.0.0.1:\(ports.plain); keepalive 16; }
            server {
                listen 127.0.0.1:\(ports.plain) backlog=4096;
                listen 127.0.0.1:\(ports.secure) ssl http2 backlog=4096;
                \(hosts)
                http2_max_concurrent_streams 256;
                location /small { return 200 '{"origin":"127.0.0.1","ok":true}'; }
                \(Self.fieldCounts.map(Self.answerWithFields).joined(separator: "\n"))
                location /orders { return 200 '\(Self.answer)'; }
                location /large { root \(folder); }
                # nginx reads the whole content before it asks the other server, which gets none of it.
                location /upload {
                    proxy_pass http://itself/small; proxy_pass_request_body off; proxy_http_version 1.1;
                    proxy_set_header Content-Length ""; proxy_set_header Connection "";
                }
                location /huge { root \(folder); }
                location /lines.txt { root \(folder); }
                location /events.txt { root \(folder); default_type text/event-stream; types { } }
                location /put { root \(folder); dav_methods PUT; create_full_put_path on; client_max_body_size 0; }
                location /status { stub_status; }
            }
            server {
                listen 127.0.0.1:\(ports.closing) ssl backlog=4096; keepalive_timeout 0;
                location /small { return 200 '{"origin":"127.0.0.1","ok":true}'; }
            }
        }
        """
    }

    /// The response of `/small` with as many header fields more.
    private static func answerWithFields(_ count: Int) -> String {
        let fields = (0..<count).map { "add_header X-Field-\($0) \"value \($0)\";" }.joined(separator: " ")
        return "location /fields/\(count) { \(fields) return 200 '{\"origin\":\"127.0.0.1\",\"ok\":true}'; }"
    }

    private var hosts: String {
        (0..<Self.mostHosts).map { "listen \(LoadTask.address($0)):\(ports.plain);" }.joined(separator: "\n")
    }

    private var temporaryFolders: String {
        ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \(folder)/temp;" }.joined(
            separator: " "
        )
    }

    /// The JSON of an ``Answer``.
    private static var answer: String {
        let items = (1...8).map {
            #"{"id":\#($0),"name":"Article number \#($0)","price":\#($0).25,"tags":["new","small","blue"]}"#
        }
        return #"{"total":8,"items":[\#(items.joined(separator: ","))]}"#
    }
}
