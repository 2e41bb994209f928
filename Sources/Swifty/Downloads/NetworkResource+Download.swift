// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension NetworkResource {
    /// Loads the content into a file.
    ///
    ///     let file = try await GitHub.archive("v1").download(to: "archive.tar.gz")
    ///
    /// The content is written to a hidden part file next to the target as it arrives, so that memory use stays small
    /// whatever its size. When it is complete and its digest is the expected one, it gets its final name atomically.
    /// Until then, and if the download fails, a file of that name stays as it was; an error status never touches it.
    ///
    /// A download that failed, was cancelled or was killed continues where it stopped, if the method is GET and the
    /// server gave the content a strong validator: the next call for the same URL and the same target asks for the rest
    /// (`Range` and `If-Range`, RFC 9110 §13.1.5 and §14). A connection that breaks within the call is replaced in the
    /// same way. The content is stored as the server sent it: compression is not asked for, and not undone.
    ///
    /// - Parameters:
    ///   - path: The path of the file, or of a folder in which the file gets a safe form of the name in
    ///     `Content-Disposition` or the URL. A symbolic link is replaced and not followed.
    ///   - policy: The behaviour of the download.
    /// - Throws: ``SwiftyError`` as ``stream()`` and its content, and with the codes
    ///   ``SwiftyError/Code/fileUnwritable``, ``SwiftyError/Code/fileExists``, ``SwiftyError/Code/fileInUse``,
    ///   ``SwiftyError/Code/diskFull``, ``SwiftyError/Code/checksumMismatch`` or ``SwiftyError/Code/rangeMismatch``;
    ///   ``SwiftyError/Code/emptyResponse`` for a HEAD request, and for a response without content (204, 205, an empty
    ///   201); ``SwiftyError/Code/unacceptableStatus`` also for 202.
    @discardableResult
    public func download(
        to path: String,
        policy: DownloadPolicy = DownloadPolicy()
    ) async throws(SwiftyError) -> DownloadedFile {
        var run = try await DownloadRun(self, to: path, policy: policy)
        return try await run.run()
    }
}

extension NetworkResource {
    /// The number of bytes that a download of this request to a path has left on the disk, and that the next one
    /// continues; zero if there are none. It blocks its thread.
    package func byteCountKept(ofDownloadTo path: String) -> Int {
        guard draft.creationError == nil, let target = try? DownloadTarget(path) else { return 0 }
        let key = DownloadRecord.key(of: draft.fullTarget)
        guard let record = DownloadRecord.read(target.partPath(key: key) + ".json"), record.url == key,
            record.validator != nil
        else { return 0 }
        return record.length
    }

    /// An independent request whose content is written to a file.
    func forDownload() -> NetworkResource {
        let request = copy()
        // Errors are never written, whatever the caller accepts.
        request.validate(status: 200..<300)
        // The download compares the ranges itself, since it also requests ranges itself.
        request.modify { draft in
            draft.verifiesRanges = false
            draft.needsWholeContent = true
        }
        // Length, ranges and digests are those of the bytes in the file.
        if !request.draft.headers.contains(.acceptEncoding) { request.header(.acceptEncoding, "identity") }
        return request
    }

    /// An independent request that continues the download with a new link: it keeps the observers of this request, and
    /// the rates and time limits that the link does not set.
    ///
    /// Everything else is that of the new link, which may lead to another server: its fields, credentials and policies.
    func continued(by link: NetworkResource) -> NetworkResource {
        link.withMonotonicProgress().copy().modify { draft in
            draft.inheritTimeouts(of: self.draft)
            guard let earlier = self.draft.transfer?.values else { return }
            draft.changeTransfer { $0.add(earlier) }
        }
    }
}

extension TransferPolicy.Values {
    /// Adds observers, and rates that are missing.
    fileprivate mutating func add(_ earlier: Self) {
        progressObservers = earlier.progressObservers + progressObservers
        eventHandlers = earlier.eventHandlers + eventHandlers
        download = download ?? earlier.download
        upload = upload ?? earlier.upload
    }
}
