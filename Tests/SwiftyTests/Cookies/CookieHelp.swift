// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Swifty

extension CookieJar {
    /// The `Cookie` field that the jar sends in a request; empty without one.
    func sent(to url: String, own: String? = nil) throws -> String {
        var request = NetworkRequest(target: try TargetURI(url))
        if let own { request.headers[.cookie] = own }
        attach(to: &request)
        return request.headers[.cookie] ?? ""
    }

    /// Stores the cookies of one response with the given `Set-Cookie` lines.
    func receive(_ lines: [String], from url: String) throws {
        var fields = HTTPFields()
        for line in lines { fields.append(HTTPField(name: .setCookie, lenientValue: Array(line.utf8))) }
        store(from: ResponseHead(statusCode: 200, headers: fields), of: try TargetURI(url))
    }

    /// The error of a line; `nil` if the jar accepts it.
    func validationError(of line: String, from url: String) throws -> ValidationError? {
        let target = try TargetURI(url)
        do {
            try setCookie(line, from: target)
            return nil
        } catch {
            return error
        }
    }
}

extension PublicSuffixList {
    /// A few rules of the list, of every kind.
    static let sample = PublicSuffixList(
        text: """
            // comment
            com
            biz
            net  and what follows a blank
            uk.com
            ac
            cy
            *.mm
            jp
            ac.jp
            kyoto.jp
            ide.kyoto.jp
            *.kobe.jp
            !city.kobe.jp
            *.ck
            !www.ck
            us
            ak.us
            k12.ak.us
            uk
            co.uk
            org
            公司.cn
            cn
            com.cn
            中国
            みんな
            Mixed.Example
            s3.amazonaws.com
            s3.us-east-2.amazonaws.com
            *.compute.amazonaws.com
            *.digitaloceanspaces.com
            appspot.com
            *.r.appspot.com
            github.io
            io
            """
    )
}
