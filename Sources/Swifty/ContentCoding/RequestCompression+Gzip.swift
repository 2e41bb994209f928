// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestCompression {
    /// Compresses the content of a request, if the policy says so.
    ///
    /// Content in memory is compressed immediately and keeps a length; if it becomes no smaller, it stays as it is. A
    /// source is compressed while it is sent, with an unknown length.
    func apply(to request: inout NetworkRequest) {
        guard applies(to: request) else { return }
        switch request.content {
        case .none: return
        case .data(let data):
            guard let compressed = GzipEncoder.encode(data, level: level), compressed.count < data.count else { return }
            request.content = .data(compressed)
        case .source(let source): request.content = .source(GzipSource(source, level: level))
        }
        request.headers[.contentEncoding] = "gzip"
    }
}
