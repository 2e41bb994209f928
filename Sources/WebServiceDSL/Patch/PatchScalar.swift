// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value without parts, which an encoder writes in its form.
///
/// Dates, data, URLs and decimal numbers encode themselves in several parts, but a `JSONEncoder` writes each of them as
/// one value.
protocol PatchScalar: Encodable, Equatable, Sendable {
    func isSame(as other: any PatchScalar) -> Bool
}

extension PatchScalar {
    /// Whether the other value has the same type, and is equal.
    func isSame(as other: any PatchScalar) -> Bool {
        (other as? Self) == self
    }
}

extension String: PatchScalar {
    /// Whether the other value is a string with the same bytes: equal strings may differ in their Unicode form.
    func isSame(as other: any PatchScalar) -> Bool {
        (other as? String)?.utf8.elementsEqual(utf8) == true
    }
}

extension Bool: PatchScalar {}
extension Double: PatchScalar {}
extension Float: PatchScalar {}
extension Int: PatchScalar {}
extension Int8: PatchScalar {}
extension Int16: PatchScalar {}
extension Int32: PatchScalar {}
extension Int64: PatchScalar {}
extension Int128: PatchScalar {}
extension UInt: PatchScalar {}
extension UInt8: PatchScalar {}
extension UInt16: PatchScalar {}
extension UInt32: PatchScalar {}
extension UInt64: PatchScalar {}
extension UInt128: PatchScalar {}
extension Data: PatchScalar {}
extension Date: PatchScalar {}
extension Decimal: PatchScalar {}
extension URL: PatchScalar {}
