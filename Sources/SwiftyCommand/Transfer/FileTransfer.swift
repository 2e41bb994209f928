// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// One load whose content goes to a file: first to a part file next to it, which is renamed at the end.
struct FileTransfer {
    let transfer: Transfer
    let path: String

    func run() async -> Delivery {
        let (resource, path, options) = (transfer.resource, path, options)
        let task = Task {
            await Result.of { () async throws(SwiftyError) in
                try await resource.download(to: path, options: options)
            }
        }
        Interruption.shared.onInterrupt { task.cancel() }
        switch await task.value {
        case .success(let file): return delivery(file)
        case .failure(let error): return failure(error)
        }
    }

    private var options: DownloadOptions {
        var information = stat()
        let isFolder = stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
        var options = DownloadOptions(existing: isFolder ? .keepBoth : .replace)
        options.continuesEarlier = transfer.results.continues
        options.keepsComplete = transfer.results.continues
        options.computesSHA256 = transfer.results.format == .json
        options.maximumBytes = transfer.byteLimit
        return options
    }

    private func delivery(_ file: DownloadedFile) -> Delivery {
        let request = transfer.recorder.request
        var delivery = Delivery(
            outcome: NetworkResponse(head: file.head, data: nil, request: request, metrics: file.metrics)
        )
        let hasFolder = path.hasPrefix("./") || !file.path.hasPrefix("./")
        delivery.passed = .init(
            path: hasFolder ? file.path : String(file.path.dropFirst(2)),
            byteCount: file.byteCount,
            sha256: file.sha256,
            resumedFrom: file.resumedFrom
        )
        return delivery
    }

    private func failure(_ error: SwiftyError) -> Delivery {
        var delivery = transfer.failure(error)
        if delivery.outcome.error != nil {
            delivery.keptByteCount = transfer.resource.byteCountKept(ofDownloadTo: path)
        }
        return delivery
    }
}
