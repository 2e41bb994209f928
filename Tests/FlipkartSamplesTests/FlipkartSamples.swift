// swift-format-ignore-file
// The samples stand as they were written.
// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

// The samples of the two Flipkart talks and of Flipkart's README, in Swift 5 mode, as they were written. Gaps of the
// slides (a method's body in words, a class that is only named) are filled in; the call sites are unchanged. Left out
// are the README's `.query("user": user)` and `.json("body": body)`, which are not Swift, and its callers in
// Objective-C; `DispatchQueue("…")` has the label that its initializer needs.

import Dispatch
import Foundation
import Swifty

class Bin: WebService {

    static var serverURL = "https://httpbin.org"

    static var networkInterface: WebServiceNetworkInterface = Swifty()

    static func getIP() -> NetworkResource {
        return server.get("ip")
    }

    static func getIPUrgently() -> NetworkResource {
        return server.get("ip").priority(.high)
    }

    static func getMockedIP() -> NetworkResource {
        return server.get("ip").mock(file: "response.json")
    }

    static func createUser(user: [String: String]) -> NetworkResource {
        return server.post("post").json(body: user).header(key: "My", value: "Header")
    }

}

class GithubAPI: WebService {

    /* Your Server's Base URL */
    static var serverURL = "https://api.github.com"

    /* What this WebService will use to actually make the network calls */
    static var networkInterface: WebServiceNetworkInterface = Swifty.shared

    /* Your network requests, as type-safe functions: */

    static func getAPIStatus() -> NetworkResource {
        return server.get("status/200")
    }

}

/// A network interface with everything the README puts into its initializer.
class AuthorizedBin: WebService {

    static var serverURL = "https://httpbin.org"

    static var networkInterface: WebServiceNetworkInterface = Swifty(constraints: [OAuthConstraint()],
       requestInterceptors: [OAuthTokenAddingInterceptor()],
       responseInterceptors: [ErrorCheckingInterceptor()])

    static func getHeaders() -> NetworkResource {
        return server.get("headers")
    }

    static func getNothing() -> NetworkResource {
        return server.get("status/204")
    }

}

class OAuthConstraint: Constraint {

    override func isConstraintSatisfied(for resource: NetworkResource) -> Bool {
        // return false if we don't have the OAuth Token
        // return true if we already have the OAuth Token
        return Keychain.string(key: "OAuth") != nil
    }

    override func satisfyConstraint(for resource: NetworkResource) {
        // Get the OAuth token from the server
        // Make sure to call finish() when done
        Keychain.set("a-token", key: "OAuth")
        finish()
    }
}

class OAuthTokenAddingInterceptor: RequestInterceptor {

    func intercept(resource: NetworkResource) -> NetworkResource {

        // Get the token from where your Constraint
        let token = Keychain.string(key: "OAuth")

        // Attach it to the resource:
        resource.header(key: "Token", value: token)

        // Return the modified resource
        return resource
    }

}

class ErrorCheckingInterceptor: ResponseInterceptor {

    func intercept(response: NetworkResponse) -> NetworkResponse {

        if let statusCode = response.response?.statusCode, statusCode == 204 {
            response.fail(error: SwiftyError.responseValidation())
        }

        return response
    }

}

extension NetworkResource {

    func encrypt(data: Data) -> NetworkResource {
        let encryptedData = ourSecretEncryptor(data)
        self.data(encryptedData)
        return self
    }

}

class DataStore {

    // Should work in the background
    func refreshData(completion: @escaping (Bool, Int) -> Void) {

        let backgroundQueue = DispatchQueue(label: "com.background.processing")

        Bin.getIP().deliver(on: backgroundQueue).load(){ (response, data, error) in
            completion(error == nil, response?.statusCode ?? 0)
        }
    }
}

// MARK: Declarations that the samples only name

private func ourSecretEncryptor(_ data: Data) -> Data {
    return Data(data.reversed())
}

enum Keychain {
    private static let lock = NSLock()
    nonisolated(unsafe) private static var values: [String: String] = [:]

    static func string(key: String) -> String? {
        lock.lock()
        defer { lock.unlock() }
        return values[key]
    }

    static func set(_ value: String, key: String) {
        lock.lock()
        defer { lock.unlock() }
        values[key] = value
    }
}
