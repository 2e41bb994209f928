// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftySupport

/// The state of the tag that is being read.
struct Markup {
    fileprivate var name: Range<Int> = 0..<0
    /// The offset of the tag's `>`; -1 outside of a tag.
    fileprivate(set) var end = -1
    /// The kind of the name in an attribute, as in `<input name="csrf">`.
    fileprivate var kind: SecretKind?
    /// Whether the previous element was the name of a secret, as in `<key>password</key><string>…`.
    fileprivate var followsName = false
    /// Whether a search for a closing tag has failed.
    fileprivate var isOpenEnded = false

    /// Whether an offset is in a tag whose attribute names a secret.
    func isSecret(_ place: Int) -> Bool { kind != nil && place < end }
}

// XML and HTML.
extension SecretScan {
    /// Reads the name of an element; its attributes are read as any other text.
    mutating func scanTag() {
        let start = index + 1
        index = start
        guard start < limit, bytes[start].isASCIILetter, isMarkup(at: start - 1) else { return }
        let nameEnd = end(from: start) { !Self.isElementByte($0) }
        guard nameEnd < limit, bytes[nameEnd].isSpaceTabOrLineEnd || "/>".utf8.contains(bytes[nameEnd]) else { return }
        markup.name = start..<nameEnd
        // A tag without its `>` ends at the next tag.
        markup.end = end(from: nameEnd) { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        markup.kind = kindOfAttributes(nameEnd..<markup.end)
        index = nameEnd
    }

    /// Whether a tag may begin: `Array<Token>` in a message is not one.
    private func isMarkup(at start: Int) -> Bool {
        start == 0 || !bytes[start - 1].isASCIILetterOrDigit || firstTagIsMarkup
    }

    /// Whether the text itself begins with a tag.
    private var firstTagIsMarkup: Bool {
        bytes.prefix(100).first { !$0.isSpaceTabOrLineEnd && $0 < 0x80 } == UInt8(ascii: "<")
    }

    private static func isElementByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetterOrDigit || "_.-:".utf8.contains(byte) || byte >= 0x80
    }

    /// The kind of the secret that an attribute names.
    private func kindOfAttributes(_ range: Range<Int>) -> SecretKind? {
        var place = range.lowerBound
        while place < range.upperBound {
            let start = end(from: place) { Self.isElementByte($0) }
            let nameEnd = end(from: start) { !Self.isElementByte($0) }
            guard nameEnd < range.upperBound else { return nil }
            place = max(nameEnd, start + 1)
            guard bytes[nameEnd] == .equalsSign else { continue }
            let value = attributeValue(at: nameEnd + 1, before: range.upperBound)
            place = max(value.upperBound, place)
            let attribute = text(start..<nameEnd).lowercased()
            if Self.isNameName(attribute) || attribute == "type", let kind = names.kind(of: text(value)) { return kind }
        }
        return nil
    }

    private func attributeValue(at start: Int, before end: Int) -> Range<Int> {
        guard start < end else { return end..<end }
        let quote = bytes[start]
        guard "\"'".utf8.contains(quote) else {
            return start..<(bytes[start..<end].firstIndex { $0 <= .space } ?? end)
        }
        let content = bytes[start + 1..<end]
        return content.startIndex..<(content.firstIndex(of: quote) ?? end)
    }

    // MARK: - Text

    /// Reads the text after a tag, at its `>`.
    mutating func scanElementText() {
        let (start, name) = (index + 1, text(markup.name))
        let isEmpty = bytes[index - 1] == UInt8(ascii: "/") || Self.voidElements.contains(name.lowercased())
        let local = name.split(separator: ":").last.map(String.init) ?? name
        let kind = names.kind(of: local) ?? markup.kind ?? (markup.followsName ? .clear : nil)
        (markup.end, markup.kind, markup.followsName) = (-1, nil, false)
        index = start
        if isEmpty { return }
        let end = self.end(from: start) { $0 == UInt8(ascii: "<") }
        if Self.isNameName(local), end - start <= 200, names.kind(of: text(start..<end)) != nil {
            markup.followsName = true
        } else if let kind {
            hideElement(from: start, to: end, kind)
        }
    }

    private static let voidElements: Set<String> = ["input", "meta", "link", "img", "br", "hr", "source", "base"]

    private mutating func hideElement(from start: Int, to firstTag: Int, _ kind: SecretKind) {
        let content = trimmedText(start..<firstTag)
        if kind == .common, !Self.looksRandom(bytes[content]) { return }
        hide(content, value: text(content).replacing("&amp;", with: "&"))
        index = firstTag
        guard kind == .clear, !has("</", at: firstTag), firstTag < limit, !markup.isOpenEnded else { return }
        hideChildren(from: firstTag)
    }

    /// Hides all text in an element, including that of nested elements.
    private mutating func hideChildren(from start: Int) {
        let close = Array("</".utf8) + bytes[markup.name] + [UInt8(ascii: ">")]
        guard let end = bytes[start..<limit].firstRange(of: close)?.lowerBound else {
            markup.isOpenEnded = true
            return
        }
        if has("<![CDATA[", at: start) {
            let content = start + 9
            let last = bytes[content..<max(end, content)].firstRange(of: "]]>".utf8)?.lowerBound ?? end
            if last > content { hide(content..<last) }
            index = end
            return
        }
        var place = start
        while place < end {
            let text = trimmedText(min(self.end(from: place) { $0 == UInt8(ascii: ">") } + 1, end)..<end)
            let textEnd = min(self.end(from: text.lowerBound) { $0 == UInt8(ascii: "<") }, end)
            let content = trimmedText(text.lowerBound..<max(textEnd, text.lowerBound))
            if !content.isEmpty { hide(content) }
            place = max(textEnd, place + 1)
        }
        index = end
    }

    private func trimmedText(_ range: Range<Int>) -> Range<Int> {
        let text = bytes[range].trimmingSpacesTabsAndLineEnds()
        return text.startIndex..<text.endIndex
    }
}
