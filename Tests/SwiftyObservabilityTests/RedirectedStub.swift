// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Observability
import Foundation
import Swifty
import SwiftyTesting

extension StubTransport {
    /// Redirects `/x` to another server, whose URL has a secret, and which asks for a credential.
    static var redirected: StubTransport {
        StubTransport { request in
            if request.target.path == "/x" {
                let headers: HTTPFields = [.location: "https://other.example.com/y?token=canary"]
                return TransportResponse(head: ResponseHead(statusCode: 302, headers: headers), content: Data())
            }
            let isSigned = request.headers.contains(.authorization)
            let headers: HTTPFields = [.wwwAuthenticate: #"Basic realm="r""#]
            return TransportResponse(
                head: ResponseHead(statusCode: isSigned ? 200 : 401, headers: headers),
                content: Data()
            )
        }
    }
}

extension CredentialStore {
    /// The credential that the server of ``StubTransport/redirected`` accepts.
    static func ofRedirected() throws -> CredentialStore {
        let store = CredentialStore()
        try store.set(.basic(user: "ada", password: "p"), for: "https://other.example.com")
        return store
    }
}
#endif
