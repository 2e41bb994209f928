// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Swifty

/// A case of the test suite that AWS publishes with its signer for C (aws-c-auth), whose names are kept.
struct SignatureVector: Sendable, CustomTestStringConvertible {
    let name: String
    let message: SignatureV4.Message
    let normalizesPath: Bool
    let inFields: String
    let inQuery: String

    var testDescription: String { name }

    private init(
        _ name: String,
        _ request: String,
        fields: [String] = [],
        normalizesPath: Bool = true,
        inFields: String,
        inQuery: String
    ) {
        self.name = name
        message = SignatureV4.Message(request, fields: fields)
        self.normalizesPath = normalizesPath
        self.inFields = inFields
        self.inQuery = inQuery
    }
}

extension SignatureVector {
    private static let unreserved = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    static let all = [
        SignatureVector(
            "get-vanilla",
            "GET /",
            inFields: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
            inQuery: "e93c787ed7f371d5c6b165c1b38ede9550f4dce4144713e844b25b7192d3865d"
        ),
        SignatureVector(
            "post-vanilla",
            "POST /",
            inFields: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
            inQuery: "2ce6e6d2e0cf2f9d1b55fafec88cd20574c31dc2e7631979f71ba2310083e95b"
        ),
        SignatureVector(
            "get-vanilla-query-order-key-case",
            "GET /?Param2=value2&Param1=value1",
            inFields: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
            inQuery: "86012e2c9ad4d77369f5d81c11f75158aae4f895a085212cc6d3f923d300bed5"
        ),
        SignatureVector(
            "get-vanilla-query-order-encoded",
            "GET /?Param-3=Value3&Param=Value2&%E1%88%B4=Value1",
            inFields: "371d3713e185cc334048618a97f809c9ffe339c62934c032af5a0e595648fcac",
            inQuery: "c5f1848ceec943ac2ca68ee720460c23aaae30a2300586597ada94c4a65e4787"
        ),
        SignatureVector(
            "get-vanilla-utf8-query",
            "GET /?ሴ=bar",
            inFields: "2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04",
            inQuery: "0bdd809b1519ac4f0c1dc3540e2cc46bd0c7f778eda408b2ebf3b913d21ff600"
        ),
        SignatureVector(
            "get-vanilla-empty-query-key",
            "GET /?Param1=value1",
            inFields: "a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb",
            inQuery: "49096700cbbaa5753443850f40df10f904fc2fdb544dc9512203cc77c471a9de"
        ),
        SignatureVector(
            "post-vanilla-query",
            "POST /?Param1=value1",
            inFields: "28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11",
            inQuery: "a9ef26247f293bffe40eeff86a0480ba8c14d31503b2e0c3399e3a16bf1a3682"
        ),
        SignatureVector(
            "get-utf8",
            "GET /ሴ",
            inFields: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85",
            inQuery: "10eae3f14a260bd3911cc6d008d3c576d143b05b62f09782a7a4b37f52178e44"
        ),
        SignatureVector(
            "get-space-normalized",
            "GET /example space/",
            inFields: "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741",
            inQuery: "7a1f416954786484c9824d93c1f26ef64acb9b1b6c9154d08c9f07d0e394abf6"
        ),
        SignatureVector(
            "get-unreserved",
            "GET /\(unreserved)",
            inFields: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f",
            inQuery: "95968482db1b9e0fadef6efc1bd24689f77c77d9ef56919c96a28cc92e0d6005"
        ),
        SignatureVector(
            "get-vanilla-query-unreserved",
            "GET /?\(unreserved)=\(unreserved)",
            inFields: "9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197",
            inQuery: "8e76a88a7433637b12778d5592799b29ad21ecd6cf6325051c21d86f0acda2bf"
        ),
        SignatureVector(
            "get-header-key-duplicate",
            "GET /",
            fields: ["My-Header1:value2", "My-Header1:value2", "My-Header1:value1"],
            inFields: "c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea",
            inQuery: "3349ee0b81b4b589da0ff28a395c3591e04de515651dd74f298fa992d1507a97"
        ),
        SignatureVector(
            "get-header-value-order",
            "GET /",
            fields: ["My-Header1:value4", "My-Header1:value1", "My-Header1:value3", "My-Header1:value2"],
            inFields: "08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01",
            inQuery: "313720e71ca6202fdcfa9b20f88de01a4eb0638a83c833b1c184359a4eda864e"
        ),
        SignatureVector(
            "get-header-value-trim",
            "GET /",
            fields: ["My-Header1: value1", "My-Header2: \"a   b   c\""],
            inFields: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736",
            inQuery: "e7bb0fd515e125e1aec2ecc4c0c17484fb06f6846b927c35e46005dd3df3acd4"
        ),
        SignatureVector(
            "get-header-value-multiline",
            "GET /",
            fields: ["My-Header1:value1\n  value2\n     value3"],
            inFields: "cfd34249e4b1c8d6b91ef74165d41a32e5fab3306300901bb65a51a73575eefd",
            inQuery: "e6f5def831211aca02987a44b96826706278c7bc078112ae0263659c5b2f2d56"
        ),
        SignatureVector(
            "post-header-key-sort",
            "POST /",
            fields: ["My-Header1:value1"],
            inFields: "c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c",
            inQuery: "c09d07e0d55871f10f2a6d350d994acf6825a3cae70673d7def55616e6119dd7"
        ),
        SignatureVector(
            "post-header-value-case",
            "POST /",
            fields: ["My-Header1:VALUE1"],
            inFields: "cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d",
            inQuery: "0698bc9e4f7f9139065ba2909c0e99da257e8e2a42492a097bcd46d792391fed"
        ),
        SignatureVector(
            "get-slash-pointless-dot-normalized",
            "GET /./example",
            inFields: "ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5",
            inQuery: "35034b1a0bdd969f346975386daf8aedfd4976573b8348cf4f67eaa41c5857de"
        ),
        SignatureVector(
            "get-slashes-normalized",
            "GET //example//",
            inFields: "9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84",
            inQuery: "c1834e8fb0307243711f0f907f6ab7311ed300d87f13792d7ee4da89ab93e082"
        ),
        SignatureVector(
            "get-slashes-unnormalized",
            "GET //example//",
            normalizesPath: false,
            inFields: "87cca117541a147f6df867677d98a7d80dff226d2bfca9e4ffa899665623c7e5",
            inQuery: "822a5a9ba28072c5ab2bb4a6307d0c88276d40e49fec6b724c03fb4d4ba60fc2"
        ),
        SignatureVector(
            "get-relative-unnormalized",
            "GET /example/..",
            normalizesPath: false,
            inFields: "eca7ead57bb5aa5c8e28007acd4ff04e1ff9a0ff3b237ec1554a184887ff9282",
            inQuery: "cbcb213b928a077e43275df47b500f1dfaa864ab3f5a18f6b95f4ff0938167ee"
        ),
    ]
}
