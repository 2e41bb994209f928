// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

/// All workloads, in the order in which they run. Benchmarks/Log.md describes them.
struct Catalogue {
    let bench: Bench

    private var inFlight: [Int] { bench.isQuick ? [1, 64] : [1, 16, 64, 256] }
    private var counted: [String] {
        bench.isQuick ? ["json-http1-64"] : ["json-http1-1", "json-http1-64", "json-http2-64", "json-post", "observed"]
    }
    private var clients: [ClientName] { bench.isQuick ? ClientName.leading : ClientName.usual }
    /// The clients in other languages, and Swifty as it is compared with them.
    private var opponents: [ClientName] { bench.isQuick ? [] : [.swiftyExecutor] + ClientName.opponents(in: bench) }
    /// The clients that can be given an authority, and can hold thousands of loads.
    private var clientsButURLSession: [ClientName] { clients.filter { $0 != .urlSession } }

    var workloads: [any Workload] {
        let loads = plain + secureHTTP1 + secure + [post, observed]
        let others: [any Workload] =
            loads + [memory] + large + streams + [build, hooks, ColdStartWorkload(), handshakes, FloodWorkload()]
            + growth
            + [CompileWorkload(), InstructionWorkload()]
            + loads.filter { counted.contains($0.name) }.map(CountWorkload.init)
        return others + openLoops
    }

    private var plain: [LoadWorkload] {
        inFlight.map { inFlight in
            LoadWorkload(
                name: "json-http1-\(inFlight)",
                title: "small JSON, HTTP/1.1, \(inFlight) in flight",
                task: LoadTask(url: bench.nginx.url + "/small", inFlight: inFlight),
                clients: clients + opponents + (inFlight < 64 ? [] : [.swiftyLoops]),
                limit: .wrk
            )
        }
    }

    private var observed: LoadWorkload {
        LoadWorkload(
            name: "observed",
            title: "small JSON, HTTP/1.1, 64 in flight, without and with spans (Swifty: and metrics)",
            task: LoadTask(url: bench.nginx.url + "/small", inFlight: 64),
            clients: [.swifty, .swiftyObserved, .asyncHTTPClient, .asyncHTTPClientTraced]
        )
    }

    private var secureHTTP1: [LoadWorkload] {
        inFlight.map { inFlight in
            LoadWorkload(
                name: "json-https1-\(inFlight)",
                title: "small JSON, HTTP/1.1 over TLS, \(inFlight) in flight",
                task: LoadTask(
                    url: bench.nginx.secureURL + "/small",
                    authority: bench.nginx.files.authority,
                    isHTTP1: true,
                    inFlight: inFlight
                ),
                clients: clientsButURLSession + opponents
            )
        }
    }

    private var secure: [LoadWorkload] {
        inFlight.map { inFlight in
            LoadWorkload(
                name: "json-http2-\(inFlight)",
                title: "small JSON, HTTP/2 over TLS, \(inFlight) in flight",
                task: LoadTask(
                    url: bench.nginx.secureURL + "/small",
                    authority: bench.nginx.files.authority,
                    inFlight: inFlight
                ),
                clients: clientsButURLSession + opponents,
                limit: .h2load
            )
        }
    }

    private var post: LoadWorkload {
        LoadWorkload(
            name: "json-post",
            title: "POST of 4 KiB of JSON, the response decoded (not by the floor), HTTP/1.1, 64 in flight",
            task: LoadTask(
                url: bench.nginx.url + "/orders",
                contentFile: bench.nginx.files.smallContent,
                decodes: true,
                inFlight: 64
            ),
            clients: clients
        )
    }

    private var memory: MemoryWorkload {
        MemoryWorkload(count: bench.isQuick ? 1_000 : 10_000, clients: clientsButURLSession)
    }

    private var large: [LoadWorkload] {
        let down = LoadTask(url: bench.nginx.url + "/large", inFlight: 4)
        let up = LoadTask(
            url: bench.nginx.url + "/upload",
            contentFile: bench.nginx.files.largeContent,
            inFlight: 4
        )
        return [("large-download", "16 MiB down", down), ("large-upload", "16 MiB up", up)].map { name, title, task in
            LoadWorkload(
                name: name,
                title: title + ", buffered, HTTP/1.1, 4 in flight",
                task: task,
                clients: clients,
                warmUp: 8
            )
        }
    }

    private var streams: [TransferWorkload] {
        TransferKind.allCases.map { TransferWorkload(kind: $0, isSecure: false) }
            + [.download, .upload].map { TransferWorkload(kind: $0, isSecure: true) }
    }

    private var build: CommandWorkload {
        CommandWorkload(
            name: "build-request",
            title: "building a GET with a query and two header fields",
            contestants: [ClientName.swifty.rawValue],
            arguments: ["build"],
            countsAllocations: true
        )
    }

    private var hooks: CommandWorkload {
        CommandWorkload(
            name: "hooks",
            title: "a load with an immediate response, without and with hooks",
            contestants: HookCommand.names,
            arguments: ["hooks"]
        )
    }

    private var handshakes: LoadWorkload {
        LoadWorkload(
            name: "handshakes",
            title: "a new HTTPS connection for each load, HTTP/1.1, 16 in flight",
            task: LoadTask(
                url: bench.nginx.closingURL + "/small",
                authority: bench.nginx.files.authority,
                isHTTP1: true,
                inFlight: 16
            ),
            clients: clientsButURLSession
        )
    }

    // MARK: Open loop

    private var openLoops: [OpenLoopWorkload] {
        let http1 = LoadTask(url: bench.nginx.url + "/small", inFlight: 64)
        let http2 = LoadTask(
            url: bench.nginx.secureURL + "/small",
            authority: bench.nginx.files.authority,
            inFlight: 64
        )
        return [30, 70].map { openLoop("open-http1", over: "HTTP/1.1", task: http1, percent: $0) }
            + [30, 70].map { openLoop("open-http2", over: "HTTP/2 over TLS", task: http2, percent: $0) }
    }

    private func openLoop(
        _ name: String,
        over protocolName: String,
        task: LoadTask,
        percent: Int
    ) -> OpenLoopWorkload {
        let reference: ClientName = ClientName.opponents(in: bench).contains(.reqwest) ? .reqwest : .swifty
        return OpenLoopWorkload(
            name: "\(name)-\(percent)",
            title: "small JSON, \(protocolName), \(percent) % of \(reference.rawValue)'s rate at 64 in flight",
            task: task,
            reference: reference,
            percent: percent,
            clients: [.swifty] + opponents
        )
    }

    // MARK: Growth

    private var growthClients: [ClientName] { ClientName.leading + [.swiftyLoops] + opponents }

    private var growth: [GrowthWorkload] {
        [
            GrowthWorkload(
                name: "growth-loads",
                title: "cost over the number of loads, HTTP/1.1, 64 in flight",
                clients: growthClients,
                sizes: bench.isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000]
            ) { growing(count: $0) },
            GrowthWorkload(
                name: "growth-hosts",
                title: "cost over the number of hosts, HTTP/1.1, 64 in flight",
                clients: growthClients,
                sizes: bench.isQuick ? [1, 100] : [1, 10, 100, NginxConfiguration.mostHosts]
            ) { growing(hosts: $0) },
            GrowthWorkload(
                name: "growth-in-flight",
                title: "cost over the number in flight, HTTP/1.1",
                clients: growthClients,
                sizes: bench.isQuick ? [1, 100] : [1, 10, 100, 1_000, 10_000]
            ) { growing(count: max(20_000, 5 * $0), inFlight: $0) },
            GrowthWorkload(
                name: "growth-request-fields",
                title: "cost over the number of header fields of the request, HTTP/1.1, 64 in flight",
                clients: growthClients.filter { $0 != .floor },
                // nginx takes less than 999.
                sizes: bench.isQuick ? [0, 100] : [0, 10, 100, 990]
            ) { growing(count: 20_000 / max(1, $0 / 100), extraFields: $0) },
            GrowthWorkload(
                name: "growth-response-fields",
                title: "cost over the number of header fields of the response, HTTP/1.1, 64 in flight",
                clients: growthClients,
                sizes: NginxConfiguration.fieldCounts
            ) { growing(path: "/fields/\($0)") },
        ]
    }

    private func growing(
        count: Int = 20_000,
        hosts: Int = 1,
        inFlight: Int = 64,
        path: String = "/small",
        extraFields: Int = 0
    ) -> LoadWorkload {
        let url = bench.nginx.url + path
        return LoadWorkload(
            name: "growth",
            title: "",
            task: LoadTask(url: url, inFlight: inFlight, hosts: hosts, extraFields: extraFields),
            clients: growthClients,
            count: count
        )
    }
}
