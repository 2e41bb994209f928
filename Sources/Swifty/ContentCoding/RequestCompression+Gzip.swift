// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension RequestCompression {
    /// Compresses the content of a request, if the policy says so.
    ///
    /// A body in memory is compressed immediately and keeps a length; one that becomes no smaller stays as it is. A
    /// source is compressed while it is sent, with an unknown length.
    func apply(to request: inout NetworkRequest) {
        guard applies(to: request) else { return }
        if let source = request.contentSource {
            request.contentSource = GzipSource(source, level: level)
        } else if let body = request.body?.bytes {
            guard let compressed = GzipEncoder.encode(body, level: level), compressed.count < body.count else { return }
            request.body = NetworkRequest.Body(compressed)
        }
        request.headers[.contentEncoding] = "gzip"
    }
}
