internal import LenientJSON

/// A case-insensitive search text, matched in bytes rather than in strings.
struct TextNeedle: Hashable, Sendable {
  /// Longer needles are cut, so that no prepared text makes a search slow.
  static let maxBytes = 256

  let lowered: String
  private let bytes: [UInt8]
  private let isASCII: Bool

  init(_ text: String) {
    var lowered = text.lowercased()
    while lowered.utf8.count > Self.maxBytes { lowered.removeLast() }
    self.lowered = lowered
    bytes = Array(lowered.utf8)
    isASCII = bytes.allSatisfy { $0 < 0x80 }
  }

  func isIn(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { isIn(UnsafeRawBufferPointer($0)) }
  }

  /// Whether the text of these bytes holds the needle.
  func isIn(_ text: UnsafeRawBufferPointer) -> Bool {
    guard !bytes.isEmpty else { return true }
    if isASCII { return text.count >= bytes.count && find(in: text) }
    // Other scripts have their own case rules: let the standard library fold them.
    guard text.contains(where: { $0 >= 0x80 }) else { return false }
    return String(decoding: text, as: UTF8.self).lowercased().utf8.firstRange(ofBytes: bytes)
  }

  /// Whether the content of a row holds the needle.
  func isInContent(of row: ActionRowView) -> Bool {
    guard row.hasContent else { return false }
    let body = row.log.contentBytes(row.id, row.record)
    guard row.record.flags.contains(.escaped) else { return isIn(body) }
    if body.count < bytes.count, isASCII { return false }  // escapes only ever shrink
    var text: [UInt8] = []
    text.reserveCapacity(body.count)
    JSONText.unescape(body, into: &text)
    return text.withUnsafeBytes(isIn)
  }

  /// Sixteen places at a time are compared with the first byte, in either case.
  private func find(in text: UnsafeRawBufferPointer) -> Bool {
    guard let base = text.baseAddress else { return false }
    let first = bytes[0]
    let isLetter = first >= 0x61 && first <= 0x7A
    let fold = SIMD16<UInt8>(repeating: isLetter ? 0x20 : 0)
    let wanted = SIMD16<UInt8>(repeating: first)
    let none = SIMD16<UInt8>(repeating: 0)
    let all = SIMD16<UInt8>(repeating: 0xFF)
    let last = text.count - bytes.count
    var at = 0
    while at <= last {
      if at &+ 16 <= text.count {
        let chunk = base.loadUnaligned(fromByteOffset: at, as: SIMD16<UInt8>.self)
        let hits = none.replacing(with: all, where: (chunk | fold) .== wanted)
        let words = unsafeBitCast(hits, to: SIMD2<UInt64>.self)
        if words.x | words.y == 0 {
          at &+= 16
          continue
        }
        let low = UInt64(littleEndian: words.x)
        let high = UInt64(littleEndian: words.y)
        at &+= low != 0 ? low.trailingZeroBitCount >> 3 : 8 &+ high.trailingZeroBitCount >> 3
      }
      if at > last { return false }
      if matches(base + at) { return true }
      at &+= 1
    }
    return false
  }

  @inline(__always)
  private func matches(_ text: UnsafeRawPointer) -> Bool {
    for index in 0..<bytes.count {
      var byte = text.load(fromByteOffset: index, as: UInt8.self)
      if byte &- 0x41 < 26 { byte |= 0x20 }
      if byte != bytes[index] { return false }
    }
    return true
  }
}

extension String.UTF8View {
  /// Whether the bytes occur in this text.
  fileprivate func firstRange(ofBytes needle: [UInt8]) -> Bool {
    let text = Array(self)
    guard text.count >= needle.count else { return false }
    for start in 0...(text.count - needle.count)
    where text[start] == needle[0] && text[start..<start + needle.count].elementsEqual(needle) {
      return true
    }
    return false
  }
}

/// A value in a query: compared whole and whatever the case, with `*` and `?` when not quoted.
struct Pattern: Hashable, Sendable {
  let text: String
  let isQuoted: Bool
  private let bytes: [UInt8]
  private let isGlob: Bool

  init(_ text: String, isQuoted: Bool = false) {
    self.text = text
    self.isQuoted = isQuoted
    bytes = Array(text.lowercased().utf8)
    isGlob = !isQuoted && text.contains { $0 == "*" || $0 == "?" }
  }

  /// Whether any value will do.
  var isAnything: Bool { !isQuoted && text == "*" }

  /// The text when only that one matches.
  var literal: String? { isGlob ? nil : text }

  func matches(_ value: String) -> Bool {
    let value = Array(value.lowercased().utf8)
    return isGlob ? globMatches(value) : value == bytes
  }

  /// Matches with one remembered star: time is at most the product of the lengths.
  private func globMatches(_ value: [UInt8]) -> Bool {
    var (at, place) = (0, 0)
    var star: Int?
    var resume = 0
    while place < value.count {
      if at < bytes.count, bytes[at] == UInt8(ascii: "*") {
        star = at
        resume = place
        at += 1
      } else if at < bytes.count, bytes[at] == UInt8(ascii: "?") || bytes[at] == value[place] {
        at += 1
        place += 1
      } else if let back = star {
        resume += 1
        at = back + 1
        place = resume
      } else {
        return false
      }
    }
    return bytes[at...].allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
