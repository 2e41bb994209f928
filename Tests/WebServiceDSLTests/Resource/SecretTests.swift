// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing
import WebServiceDSL

@Suite("The secrets of a request", .timeLimit(.minutes(15)))
struct SecretTests {
    private enum Plain: WebService {
        static let serverURL = "https://api.example.com"
        static let networkInterface: any NetworkInterface = RecordingInterface()
    }

    private enum Shop: WebService {
        static let serverURL = "https://shop.example.com"
        static let networkInterface: any NetworkInterface = RecordingInterface()
        static let secretNames = SecretNames(["X-Customer", "voucher"], plain: ["session_color"])
    }

    @Test("are nothing unless there are any, so that a load pays for none")
    func none() async throws {
        for resource in [Plain.server.get("users/{id}", ["id": 7]), Plain.server.get("a").secret("")] {
            #expect(resource.draft.secrets == nil)
            #expect(try await resource.draft.makeRequest().secrets == nil)
        }
    }

    @Test("are the values of variables with such names, also by the names of the service")
    func variables() async throws {
        let bot = Plain.server.post("bot{token}/send", ["token": "1:a/b"])
        #expect("\(bot)" == "POST https://api.example.com/botREDACTED/send")
        #expect(try await "\(bot.draft.makeRequest())".contains("/botREDACTED/send"))
        #expect(bot.cURLDescription(includingSecrets: true).contains("/bot1%3Aa%2Fb/send"))
        let code = Shop.server.get("vouchers/{voucher}/x", ["voucher": "v1"])
        #expect("\(code)" == "GET https://shop.example.com/vouchers/REDACTED/x")
        #expect("\(Plain.server.get("vouchers/{voucher}/x", ["voucher": "x"]))".contains("/vouchers/x/x"))
    }

    @Test("are those that its service names, and those that are marked, in copies, too")
    func marked() {
        let resource = Shop.server.get("a/s3cret").query(["session_color": "red", "voucher": "v1"]).secret("s3cret")
        for resource in [resource, resource.copy()] {
            #expect("\(resource)" == "GET https://shop.example.com/a/REDACTED?session_color=red&voucher=REDACTED")
        }
        let marked = resource.copy().header("X-Customer", "c").secret("red")
        #expect("\(marked)" == "GET https://shop.example.com/a/REDACTED?session_color=REDACTED&voucher=REDACTED")
        #expect(marked.cURLDescription.contains("'X-Customer: REDACTED'"))
        #expect(!resource.cURLDescription.contains("X-Customer"))
        let own = BaseResource(
            "https://x.example.com",
            networkInterface: RecordingInterface(),
            secretNames: SecretNames(["q7"])
        )
        #expect("\(own.get("a").query(["q7": "v"]))" == "GET https://x.example.com/a?q7=REDACTED")
    }

    @Test("are not in a dump of the summary that errors have")
    func dumped() {
        var text = ""
        dump(Shop.server.get("a/{token}/hush-2", ["token": "hush-1"]).secret("hush-2").draft.summary, to: &text)
        #expect(!text.contains("hush"), "\(text)")
    }
}
