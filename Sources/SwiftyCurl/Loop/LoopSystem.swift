// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import CCurl
import Dispatch

/// The environment of loops: threads, sockets, and connections. A simulation has its own.
protocol LoopSystem: Sendable {
    /// Starts the thread of a loop, on which ``LoopContext/run()`` is to run. Returns `nil` on failure.
    func startThread(named name: String, for context: LoopContext) -> (any LoopThreadHandle)?
    /// Makes the resources of a loop, on its thread. Returns `nil` if the process is out of memory or descriptors.
    func makeResources(_ environment: CurlEnvironment) -> LoopResources?
    /// Runs a part of a task whose loop has ended or cannot start.
    func runElsewhere(_ job: LoopJob)
}

/// A thread, which is joined or detached exactly once.
protocol LoopThreadHandle: Sendable {
    /// Waits for its end.
    func join()
    /// Lets it end by itself.
    func detach()
}

/// Threads of the system, its sockets, and connections that libcurl makes.
struct NativeLoopSystem: LoopSystem {
    var waits = WaitRecord()

    func startThread(named name: String, for context: LoopContext) -> (any LoopThreadHandle)? {
        let context = Unmanaged.passRetained(context)
        let thread = ccurl_thread_start(
            name,
            { Unmanaged<LoopContext>.fromOpaque($0).takeRetainedValue().run() },
            context.toOpaque()
        )
        if thread == nil { context.release() }
        return thread.map { NativeThread(thread: $0) }
    }

    func makeResources(_ environment: CurlEnvironment) -> LoopResources? {
        CurlDialer(environment).map { LoopResources(environment: environment, $0.poll, $0, waits: waits) }
    }

    func runElsewhere(_ job: LoopJob) {
        DispatchQueue.global().async { job.run() }
    }
}

// Safety: an opaque pointer to the thread, which is joined or detached exactly once.
private struct NativeThread: LoopThreadHandle, @unchecked Sendable {
    let thread: ccurl_thread_t

    func join() {
        ccurl_thread_join(thread)
    }

    func detach() {
        ccurl_thread_detach(thread)
    }
}
