// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

extension SHA256 {
    /// The state between two blocks: eight words (FIPS 180-4 §5.3.3).
    struct State: Sendable, Equatable {
        var a: UInt32 = 0x6a09_e667
        var b: UInt32 = 0xbb67_ae85
        var c: UInt32 = 0x3c6e_f372
        var d: UInt32 = 0xa54f_f53a
        var e: UInt32 = 0x510e_527f
        var f: UInt32 = 0x9b05_688c
        var g: UInt32 = 0x1f83_d9ab
        var h: UInt32 = 0x5be0_cd19

        var words: [UInt32] { [a, b, c, d, e, f, g, h] }
    }
}

extension SHA256.State {
    /// Mixes whole blocks of 64 bytes into the state (FIPS 180-4 §6.2.2).
    ///
    /// All words are local variables, and all rounds are written out with their constants, so that the words stay in
    /// registers and no access is checked. The words of the schedule are made where they are used, and replace those
    /// that are no longer needed.
    @inline(never) mutating func mix(_ blocks: UnsafeRawBufferPointer) {
        guard let start = blocks.baseAddress else { return }
        var (a, b, c, d, e, f, g, h) = (self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h)
        for block in 0..<blocks.count / 64 {
            let place = start + block &* 64
            let (a0, b0, c0, d0, e0, f0, g0, h0) = (a, b, c, d, e, f, g, h)
            var w0 = Self.word(place, 0)
            var w1 = Self.word(place, 1)
            var w2 = Self.word(place, 2)
            var w3 = Self.word(place, 3)
            var w4 = Self.word(place, 4)
            var w5 = Self.word(place, 5)
            var w6 = Self.word(place, 6)
            var w7 = Self.word(place, 7)
            var w8 = Self.word(place, 8)
            var w9 = Self.word(place, 9)
            var w10 = Self.word(place, 10)
            var w11 = Self.word(place, 11)
            var w12 = Self.word(place, 12)
            var w13 = Self.word(place, 13)
            var w14 = Self.word(place, 14)
            var w15 = Self.word(place, 15)
            // Rounds 0 to 15.
            Self.round(a, b, c, &d, e, f, g, &h, 0x428a_2f98 &+ w0)
            Self.round(h, a, b, &c, d, e, f, &g, 0x7137_4491 &+ w1)
            Self.round(g, h, a, &b, c, d, e, &f, 0xb5c0_fbcf &+ w2)
            Self.round(f, g, h, &a, b, c, d, &e, 0xe9b5_dba5 &+ w3)
            Self.round(e, f, g, &h, a, b, c, &d, 0x3956_c25b &+ w4)
            Self.round(d, e, f, &g, h, a, b, &c, 0x59f1_11f1 &+ w5)
            Self.round(c, d, e, &f, g, h, a, &b, 0x923f_82a4 &+ w6)
            Self.round(b, c, d, &e, f, g, h, &a, 0xab1c_5ed5 &+ w7)
            Self.round(a, b, c, &d, e, f, g, &h, 0xd807_aa98 &+ w8)
            Self.round(h, a, b, &c, d, e, f, &g, 0x1283_5b01 &+ w9)
            Self.round(g, h, a, &b, c, d, e, &f, 0x2431_85be &+ w10)
            Self.round(f, g, h, &a, b, c, d, &e, 0x550c_7dc3 &+ w11)
            Self.round(e, f, g, &h, a, b, c, &d, 0x72be_5d74 &+ w12)
            Self.round(d, e, f, &g, h, a, b, &c, 0x80de_b1fe &+ w13)
            Self.round(c, d, e, &f, g, h, a, &b, 0x9bdc_06a7 &+ w14)
            Self.round(b, c, d, &e, f, g, h, &a, 0xc19b_f174 &+ w15)
            // Rounds 16 to 31.
            Self.round(a, b, c, &d, e, f, g, &h, 0xe49b_69c1 &+ Self.next(&w0, w1, w9, w14))
            Self.round(h, a, b, &c, d, e, f, &g, 0xefbe_4786 &+ Self.next(&w1, w2, w10, w15))
            Self.round(g, h, a, &b, c, d, e, &f, 0x0fc1_9dc6 &+ Self.next(&w2, w3, w11, w0))
            Self.round(f, g, h, &a, b, c, d, &e, 0x240c_a1cc &+ Self.next(&w3, w4, w12, w1))
            Self.round(e, f, g, &h, a, b, c, &d, 0x2de9_2c6f &+ Self.next(&w4, w5, w13, w2))
            Self.round(d, e, f, &g, h, a, b, &c, 0x4a74_84aa &+ Self.next(&w5, w6, w14, w3))
            Self.round(c, d, e, &f, g, h, a, &b, 0x5cb0_a9dc &+ Self.next(&w6, w7, w15, w4))
            Self.round(b, c, d, &e, f, g, h, &a, 0x76f9_88da &+ Self.next(&w7, w8, w0, w5))
            Self.round(a, b, c, &d, e, f, g, &h, 0x983e_5152 &+ Self.next(&w8, w9, w1, w6))
            Self.round(h, a, b, &c, d, e, f, &g, 0xa831_c66d &+ Self.next(&w9, w10, w2, w7))
            Self.round(g, h, a, &b, c, d, e, &f, 0xb003_27c8 &+ Self.next(&w10, w11, w3, w8))
            Self.round(f, g, h, &a, b, c, d, &e, 0xbf59_7fc7 &+ Self.next(&w11, w12, w4, w9))
            Self.round(e, f, g, &h, a, b, c, &d, 0xc6e0_0bf3 &+ Self.next(&w12, w13, w5, w10))
            Self.round(d, e, f, &g, h, a, b, &c, 0xd5a7_9147 &+ Self.next(&w13, w14, w6, w11))
            Self.round(c, d, e, &f, g, h, a, &b, 0x06ca_6351 &+ Self.next(&w14, w15, w7, w12))
            Self.round(b, c, d, &e, f, g, h, &a, 0x1429_2967 &+ Self.next(&w15, w0, w8, w13))
            // Rounds 32 to 47.
            Self.round(a, b, c, &d, e, f, g, &h, 0x27b7_0a85 &+ Self.next(&w0, w1, w9, w14))
            Self.round(h, a, b, &c, d, e, f, &g, 0x2e1b_2138 &+ Self.next(&w1, w2, w10, w15))
            Self.round(g, h, a, &b, c, d, e, &f, 0x4d2c_6dfc &+ Self.next(&w2, w3, w11, w0))
            Self.round(f, g, h, &a, b, c, d, &e, 0x5338_0d13 &+ Self.next(&w3, w4, w12, w1))
            Self.round(e, f, g, &h, a, b, c, &d, 0x650a_7354 &+ Self.next(&w4, w5, w13, w2))
            Self.round(d, e, f, &g, h, a, b, &c, 0x766a_0abb &+ Self.next(&w5, w6, w14, w3))
            Self.round(c, d, e, &f, g, h, a, &b, 0x81c2_c92e &+ Self.next(&w6, w7, w15, w4))
            Self.round(b, c, d, &e, f, g, h, &a, 0x9272_2c85 &+ Self.next(&w7, w8, w0, w5))
            Self.round(a, b, c, &d, e, f, g, &h, 0xa2bf_e8a1 &+ Self.next(&w8, w9, w1, w6))
            Self.round(h, a, b, &c, d, e, f, &g, 0xa81a_664b &+ Self.next(&w9, w10, w2, w7))
            Self.round(g, h, a, &b, c, d, e, &f, 0xc24b_8b70 &+ Self.next(&w10, w11, w3, w8))
            Self.round(f, g, h, &a, b, c, d, &e, 0xc76c_51a3 &+ Self.next(&w11, w12, w4, w9))
            Self.round(e, f, g, &h, a, b, c, &d, 0xd192_e819 &+ Self.next(&w12, w13, w5, w10))
            Self.round(d, e, f, &g, h, a, b, &c, 0xd699_0624 &+ Self.next(&w13, w14, w6, w11))
            Self.round(c, d, e, &f, g, h, a, &b, 0xf40e_3585 &+ Self.next(&w14, w15, w7, w12))
            Self.round(b, c, d, &e, f, g, h, &a, 0x106a_a070 &+ Self.next(&w15, w0, w8, w13))
            // Rounds 48 to 63.
            Self.round(a, b, c, &d, e, f, g, &h, 0x19a4_c116 &+ Self.next(&w0, w1, w9, w14))
            Self.round(h, a, b, &c, d, e, f, &g, 0x1e37_6c08 &+ Self.next(&w1, w2, w10, w15))
            Self.round(g, h, a, &b, c, d, e, &f, 0x2748_774c &+ Self.next(&w2, w3, w11, w0))
            Self.round(f, g, h, &a, b, c, d, &e, 0x34b0_bcb5 &+ Self.next(&w3, w4, w12, w1))
            Self.round(e, f, g, &h, a, b, c, &d, 0x391c_0cb3 &+ Self.next(&w4, w5, w13, w2))
            Self.round(d, e, f, &g, h, a, b, &c, 0x4ed8_aa4a &+ Self.next(&w5, w6, w14, w3))
            Self.round(c, d, e, &f, g, h, a, &b, 0x5b9c_ca4f &+ Self.next(&w6, w7, w15, w4))
            Self.round(b, c, d, &e, f, g, h, &a, 0x682e_6ff3 &+ Self.next(&w7, w8, w0, w5))
            Self.round(a, b, c, &d, e, f, g, &h, 0x748f_82ee &+ Self.next(&w8, w9, w1, w6))
            Self.round(h, a, b, &c, d, e, f, &g, 0x78a5_636f &+ Self.next(&w9, w10, w2, w7))
            Self.round(g, h, a, &b, c, d, e, &f, 0x84c8_7814 &+ Self.next(&w10, w11, w3, w8))
            Self.round(f, g, h, &a, b, c, d, &e, 0x8cc7_0208 &+ Self.next(&w11, w12, w4, w9))
            Self.round(e, f, g, &h, a, b, c, &d, 0x90be_fffa &+ Self.next(&w12, w13, w5, w10))
            Self.round(d, e, f, &g, h, a, b, &c, 0xa450_6ceb &+ Self.next(&w13, w14, w6, w11))
            Self.round(c, d, e, &f, g, h, a, &b, 0xbef9_a3f7 &+ Self.next(&w14, w15, w7, w12))
            Self.round(b, c, d, &e, f, g, h, &a, 0xc671_78f2 &+ Self.next(&w15, w0, w8, w13))
            (a, b, c, d) = (a &+ a0, b &+ b0, c &+ c0, d &+ d0)
            (e, f, g, h) = (e &+ e0, f &+ f0, g &+ g0, h &+ h0)
        }
        self = Self(a: a, b: b, c: c, d: d, e: e, f: f, g: g, h: h)
    }

    /// One round: `h` becomes the new `a`, and `d` the new `e`, so that the words change names and not places.
    @inline(__always) private static func round(
        _ a: UInt32,
        _ b: UInt32,
        _ c: UInt32,
        _ d: inout UInt32,
        _ e: UInt32,
        _ f: UInt32,
        _ g: UInt32,
        _ h: inout UInt32,
        _ word: UInt32
    ) {
        let first = h &+ word &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ (g ^ (e & (f ^ g)))
        d = d &+ first
        h = first &+ (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ ((a & b) ^ (c & (a ^ b)))
    }

    /// The next word of the schedule, from those 16, 15, 7 and 2 before it; it replaces the first.
    @inline(__always) private static func next(
        _ word: inout UInt32,
        _ early: UInt32,
        _ middle: UInt32,
        _ late: UInt32
    ) -> UInt32 {
        let earlyPart = turn(early, 7) ^ turn(early, 18) ^ (early &>> 3)
        word = word &+ earlyPart &+ middle &+ (turn(late, 17) ^ turn(late, 19) ^ (late &>> 10))
        return word
    }

    @inline(__always) private static func word(_ block: UnsafeRawPointer, _ index: Int) -> UInt32 {
        UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
    }

    /// The word with its bits rotated to the right.
    @inline(__always) private static func turn(_ word: UInt32, _ count: UInt32) -> UInt32 {
        (word &>> count) | (word &<< (32 &- count))
    }
}
