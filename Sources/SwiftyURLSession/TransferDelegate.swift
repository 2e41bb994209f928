// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftyTransport
import Synchronization

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes what a session reports to the transfers.
final class TransferDelegate: NSObject, URLSessionDataDelegate, Sendable {
    private let byTask = Mutex<[Int: URLSessionTransfer]>([:])

    func add(_ transfer: URLSessionTransfer, for task: URLSessionTask) {
        byTask.withLock { $0[task.taskIdentifier] = transfer }
    }

    private func transfer(of task: URLSessionTask) -> URLSessionTransfer? {
        byTask.withLock { $0[task.taskIdentifier] }
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let transfer = transfer(of: dataTask) else { return completionHandler(.cancel) }
        completionHandler(transfer.receive(response) ? .allow : .cancel)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        transfer(of: dataTask)?.receive(data)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(of: task)?.noteSent(Int(clamping: totalBytesSent))
    }

    /// The redirect is the response: following it is left to the pipeline.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    /// A server's challenge is delivered as its response; that of TLS is checked by the system.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
        // The challenge comes after the content, and every answer but a credential ends the task with an error.
        transfer(of: task)?.end(nil)
        completionHandler(.cancelAuthenticationChallenge, nil)
        #else
        let isTrust = challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust
        completionHandler(isTrust ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #endif
    }

    /// Comes before the end of the task; with FoundationNetworking of Swift 6.3 never.
    func urlSession(_ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics) {
        guard let measured = MeasuredTransaction(metrics) else { return }
        transfer(of: task)?.note(measured)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        byTask.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.end(error, task.response)
    }
}
