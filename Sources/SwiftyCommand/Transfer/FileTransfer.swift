// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

/// One load whose content goes to a file: first to a part file next to it, which is renamed at the end.
struct FileTransfer {
    let transfer: Transfer
    let path: String

    func run() async -> Delivery {
        let (resource, path, policy) = (transfer.resource, path, policy)
        let hadEarlier = resource.byteCountKept(ofDownloadTo: path) > 0 || FileManager.default.fileExists(atPath: path)
        let task = Task {
            await Result.of { () async throws(SwiftyError) in
                try await resource.download(to: path, policy: policy)
            }
        }
        Interruption.shared.onInterrupt { task.cancel() }
        switch await task.value {
        case .success(let file): return delivery(file, hadEarlier: hadEarlier && !isFolder)
        case .failure(let error): return failure(error)
        }
    }

    private var isFolder: Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFDIR
    }

    private var policy: DownloadPolicy {
        var policy = DownloadPolicy(existing: isFolder ? .keepBoth : .replace)
        policy.continuesEarlier = transfer.results.continues
        policy.keepsComplete = transfer.results.continues
        policy.computesSHA256 = transfer.results.format == .json
        policy.maximumBytes = transfer.byteLimit
        return policy
    }

    private func delivery(_ file: DownloadedFile, hadEarlier: Bool) -> Delivery {
        let request = transfer.recorder.request
        var delivery = Delivery(
            outcome: NetworkResponse(head: file.head, data: nil, request: request, metrics: file.metrics)
        )
        let hasFolder = path.hasPrefix("./") || !file.path.hasPrefix("./")
        delivery.passed = .init(
            path: hasFolder ? file.path : String(file.path.dropFirst(2)),
            byteCount: file.byteCount,
            sha256: file.sha256,
            resumedFrom: file.resumedFrom,
            hadEarlier: hadEarlier
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
