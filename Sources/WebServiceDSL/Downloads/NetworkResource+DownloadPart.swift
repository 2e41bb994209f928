// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

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
}
