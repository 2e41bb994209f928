// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

#if Configuration
import Testing

@testable import SwiftyConfiguration

@Suite("The values of settings", .timeLimit(.minutes(15)))
struct SettingKindTests {
    @Test(
        "are durations with a unit",
        arguments: [
            ("500ms", Duration.milliseconds(500)), ("2s", .seconds(2)), ("1.5s", .milliseconds(1500)),
            ("0.000000001s", .nanoseconds(1)), ("5m", .seconds(300)), ("0.5h", .seconds(1800)), ("0s", .zero),
            ("999999999h", .seconds(3600) * 999_999_999),
        ]
    )
    func durations(text: String, duration: Duration) throws {
        #expect(try SettingKind.duration.read(RawValue(text)) == duration)
    }

    @Test(
        "are no durations without a unit, with a sign, with white space, or with too many digits",
        arguments: [
            "", "30", "s", ".5s", "5.s", "1.2.3s", "-1s", "+1s", " 1s", "1 s", "1S", "1d", "1m30s", "1e3s", "٣s",
            "1234567890s", "none", "0x10s",
        ]
    )
    func wrongDurations(text: String) {
        let expected = WrongValue(not: "a duration with a unit, such as 500ms, 2s, 1.5s, 5m or 1h")
        #expect(throws: expected) { try SettingKind.duration.read(RawValue(text)) }
    }

    @Test(
        "are numbers of bytes, or of binary units",
        arguments: [
            ("0", 0), ("65536", 65_536), ("64KiB", 65_536), ("32MiB", 32 << 20), ("2GiB", 2 << 30),
            ("9223372036854775807", Int.max),
        ]
    )
    func bytes(text: String, size: Int) throws {
        #expect(try SettingKind.bytes().read(RawValue(text)) == size)
    }

    @Test(
        "are no sizes in decimal units, with a sign, or beyond the largest number",
        arguments: ["", "10MB", "10kB", "10K", "1.5MiB", "-1", "9223372036854775808", "9007199254740992KiB", "1 KiB"]
    )
    func wrongBytes(text: String) {
        #expect(throws: WrongValue.self) { try SettingKind.bytes().read(RawValue(text)) }
    }

    @Test("are counts and numbers within their range")
    func ranges() throws {
        #expect(try SettingKind.count(from: 1, to: 9).read(RawValue("9")) == 9)
        #expect(throws: WrongValue(not: "a whole number from 1 to 9")) {
            try SettingKind.count(from: 1, to: 9).read(RawValue("10"))
        }
        #expect(throws: WrongValue.self) { try SettingKind.count().read(RawValue("1.5")) }
        #expect(try SettingKind.number(to: 1).read(RawValue("0.25")) == 0.25)
        for text in ["nan", "inf", "-0.1", "1.1", ""] {
            #expect(throws: WrongValue.self) { try SettingKind.number(to: 1).read(RawValue(text)) }
        }
    }

    @Test("are Booleans in the words of swift-configuration")
    func booleans() throws {
        for text in ["true", "YES", "1"] { #expect(try SettingKind.boolean.read(RawValue(text))) }
        for text in ["false", "No", "0"] { #expect(try !SettingKind.boolean.read(RawValue(text))) }
        for text in ["", "on", "2"] {
            #expect(throws: WrongValue.self) { try SettingKind.boolean.read(RawValue(text)) }
        }
    }

    @Test("are removed by the word none where they may be missing, and nowhere else")
    func none() throws {
        #expect(try SettingKind.duration.orNone.read(RawValue("none")) == nil)
        #expect(throws: WrongValue.self) { try SettingKind.duration.orNone.read(RawValue("")) }
        #expect(throws: WrongValue.self) { try SettingKind.count().read(RawValue("none")) }
    }

    @Test("are written in the largest unit of which they are a multiple")
    func written() {
        #expect(DurationText.write(.seconds(118)) == "118s")
        #expect(DurationText.write(.seconds(120)) == "2m")
        #expect(DurationText.write(.milliseconds(1500)) == "1500ms")
        #expect(ByteText.write(32 << 20) == "32MiB")
        #expect(ByteText.write(1025) == "1025")
    }
}
#endif
