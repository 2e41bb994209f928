// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty
import SwiftySupport

extension EntryRedactor {
    /// The content without values whose names are those of secrets.
    mutating func redact(_ content: HARContent, coded codings: String? = nil) -> HARContent {
        guard let bytes = content.decoded(codings) else { return content }
        let redacted = scan(bytes, type: content.mimeType)
        return redacted == bytes ? content : content.replaced(by: redacted)
    }
}

extension HARResponse {
    /// The codings of the content, if it is stored with them.
    var codings: String? {
        guard content._isCoded == true else { return nil }
        return headers.filter { $0.name.lowercased() == "content-encoding" }.map(\.value).joined(separator: ",")
    }
}

extension HARContent {
    /// The bytes without their codings, as far as these are known; `nil` if they are not in their encoding.
    fileprivate func decoded(_ codings: String?) -> [UInt8]? {
        guard let bytes else { return nil }
        return Array(codings.flatMap { try? Swifty.ContentDecoding().decode(bytes, codings: $0) } ?? bytes)
    }

    /// The content with other bytes, which are not coded.
    fileprivate func replaced(by bytes: [UInt8]) -> HARContent {
        var content = HARContent(Data(bytes), type: mimeType, isRequest: size == nil)
        content.compression = compression
        return content
    }

    /// The content without known secrets. Coded content that contains some is stored decoded.
    func replacing(_ secrets: SecretReplacer, coded codings: String? = nil) -> HARContent {
        var content = self
        content.mimeType = secrets.replace(in: mimeType)
        guard let bytes = content.decoded(codings) else { return content }
        return Redactor.replace(secrets, in: bytes, mimeType).map { content.replaced(by: $0) } ?? content
    }
}
