// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import SwiftySupport

// Safety: the functions are looked up by their names, and have the types that OpenSSL's manual states; the handles are
// not changed after the table is made. OpenSSL's own functions may be called from any thread, each object from one.
/// The functions of OpenSSL that a server with TLS needs, found at run time: nothing links OpenSSL because of tests.
///
/// Source: the manual of OpenSSL 1.1.1 and 3.
struct OpenSSL: @unchecked Sendable {
    typealias Object = OpaquePointer
    typealias Bytes = UnsafeMutablePointer<UInt8>
    typealias SelectProtocol =
        @convention(c) (
            Object?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, Bytes?, UnsafePointer<UInt8>?, UInt32,
            UnsafeMutableRawPointer?
        ) -> Int32

    // Keys and signatures.
    let makeKeyContext: @convention(c) (Int32, Object?) -> Object?
    let beginKeyGeneration: @convention(c) (Object) -> Int32
    let setKeyOption: @convention(c) (Object, UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
    let generateKey: @convention(c) (Object, UnsafeMutablePointer<Object?>) -> Int32
    let freeKeyContext: @convention(c) (Object?) -> Void
    let freeKey: @convention(c) (Object?) -> Void
    let encodePublicKey: @convention(c) (Object, UnsafeMutablePointer<Bytes?>?) -> Int32
    let encodePrivateKey: @convention(c) (Object, UnsafeMutablePointer<Bytes?>?) -> Int32
    let makeDigestContext: @convention(c) () -> Object?
    let freeDigestContext: @convention(c) (Object?) -> Void
    let sha256: @convention(c) () -> Object?
    let beginSignature: @convention(c) (Object, OpaquePointer?, Object?, Object?, Object) -> Int32
    let sign: @convention(c) (Object, Bytes?, UnsafeMutablePointer<Int>, UnsafePointer<UInt8>, Int) -> Int32

    // Certificates.
    let decodeCertificate: @convention(c) (OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> Object?
    let freeCertificate: @convention(c) (Object?) -> Void
    let addToStore: @convention(c) (Object, Object) -> Int32

    // Settings of servers.
    let serverMethod: @convention(c) () -> Object?
    let makeContext: @convention(c) (Object?) -> Object?
    let freeContext: @convention(c) (Object?) -> Void
    let useCertificate: @convention(c) (Object, Int32, UnsafePointer<UInt8>) -> Int32
    let usePrivateKey: @convention(c) (Object, Object) -> Int32
    let control: @convention(c) (Object, Int32, Int, UnsafeMutableRawPointer?) -> Int
    let setProtocolSelection: @convention(c) (Object, SelectProtocol, UnsafeMutableRawPointer?) -> Void
    let setSecurityLevel: @convention(c) (Object, Int32) -> Void
    let setVerification: @convention(c) (Object, Int32, OpaquePointer?) -> Void
    let store: @convention(c) (Object) -> Object?

    // Connections.
    let makeConnection: @convention(c) (Object) -> Object?
    let freeConnection: @convention(c) (Object?) -> Void
    let setDescriptor: @convention(c) (Object, Int32) -> Int32
    let accept: @convention(c) (Object) -> Int32
    let read: @convention(c) (Object, UnsafeMutableRawPointer?, Int32) -> Int32
    let write: @convention(c) (Object, UnsafeRawPointer?, Int32) -> Int32
    let shutDown: @convention(c) (Object) -> Int32
    let error: @convention(c) (Object, Int32) -> Int32
    let clearErrors: @convention(c) () -> Void

    /// The functions; `nil` if OpenSSL 1.1.1 or later is not installed.
    static let shared = OpenSSL()

    private init?() {
        guard let ssl = Self.open("ssl"), let crypto = Self.open("crypto") else { return nil }
        let table = FunctionTable(libraries: [ssl, crypto])
        do throws(FunctionTable.MissingFunction) {
            makeKeyContext = try table["EVP_PKEY_CTX_new_id"]
            beginKeyGeneration = try table["EVP_PKEY_keygen_init"]
            setKeyOption = try table["EVP_PKEY_CTX_ctrl_str"]
            generateKey = try table["EVP_PKEY_keygen"]
            freeKeyContext = try table["EVP_PKEY_CTX_free"]
            freeKey = try table["EVP_PKEY_free"]
            encodePublicKey = try table["i2d_PUBKEY"]
            encodePrivateKey = try table["i2d_PrivateKey"]
            makeDigestContext = try table["EVP_MD_CTX_new"]
            freeDigestContext = try table["EVP_MD_CTX_free"]
            sha256 = try table["EVP_sha256"]
            beginSignature = try table["EVP_DigestSignInit"]
            sign = try table["EVP_DigestSign"]
            decodeCertificate = try table["d2i_X509"]
            freeCertificate = try table["X509_free"]
            addToStore = try table["X509_STORE_add_cert"]
            serverMethod = try table["TLS_server_method"]
            makeContext = try table["SSL_CTX_new"]
            freeContext = try table["SSL_CTX_free"]
            useCertificate = try table["SSL_CTX_use_certificate_ASN1"]
            usePrivateKey = try table["SSL_CTX_use_PrivateKey"]
            control = try table["SSL_CTX_ctrl"]
            setProtocolSelection = try table["SSL_CTX_set_alpn_select_cb"]
            setSecurityLevel = try table["SSL_CTX_set_security_level"]
            setVerification = try table["SSL_CTX_set_verify"]
            store = try table["SSL_CTX_get_cert_store"]
            makeConnection = try table["SSL_new"]
            freeConnection = try table["SSL_free"]
            setDescriptor = try table["SSL_set_fd"]
            accept = try table["SSL_accept"]
            read = try table["SSL_read"]
            write = try table["SSL_write"]
            shutDown = try table["SSL_shutdown"]
            error = try table["SSL_get_error"]
            clearErrors = try table["ERR_clear_error"]
        } catch {
            return nil
        }
    }

    /// Opens a library of OpenSSL, which libcurl has usually loaded already.
    private static func open(_ name: String) -> UnsafeMutableRawPointer? {
        let names = ["lib\(name).so.3", "lib\(name).so.1.1", "lib\(name).so", "lib\(name).3.dylib", "lib\(name).dylib"]
        return names.firstResult { dlopen($0, RTLD_NOW) }
    }

    /// The bytes that an encoder of OpenSSL writes; `nil` if it fails.
    static func encoding(_ encode: (UnsafeMutablePointer<Bytes?>?) -> Int32) -> [UInt8]? {
        let count = encode(nil)
        guard count > 0 else { return nil }
        // Safety: the first call has returned the number of bytes that the second one writes.
        return [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, written in
            var end = buffer.baseAddress
            written = Int(encode(&end))
        }
    }
}

/// Finds functions in libraries by name.
private struct FunctionTable {
    let libraries: [UnsafeMutableRawPointer]

    struct MissingFunction: Error {}

    subscript<Function>(name: String) -> Function {
        get throws(MissingFunction) {
            for library in libraries {
                // Safety: the caller passes the type of the function with this name.
                if let symbol = dlsym(library, name) { return unsafeBitCast(symbol, to: Function.self) }
            }
            throw MissingFunction()
        }
    }
}

extension OpenSSL {
    /// `EVP_PKEY_EC`.
    static let ellipticCurveKey: Int32 = 408
    /// `SSL_CTRL_SET_MIN_PROTO_VERSION`, `SSL_CTRL_SET_MAX_PROTO_VERSION`.
    static let setMinimumVersion: Int32 = 123
    static let setMaximumVersion: Int32 = 124
    /// `SSL_CTRL_MODE`; `SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER`.
    static let setMode: Int32 = 33
    static let partialWrites = 3
    /// `SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT`.
    static let requireCertificate: Int32 = 3
    /// `SSL_ERROR_WANT_READ`, `SSL_ERROR_WANT_WRITE`, `SSL_ERROR_ZERO_RETURN`.
    static let wantsRead: Int32 = 2
    static let wantsWrite: Int32 = 3
    static let closed: Int32 = 6
}
