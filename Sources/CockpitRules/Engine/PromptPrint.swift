/// A prompt as sizes and hashes of its parts. The words stay behind, except headings, which name the parts.
package struct PromptPrint: Hashable, Sendable {
  package struct Part: Hashable, Sendable {
    /// The heading it stands under, at most 40 bytes; empty before the first. Untrusted text.
    var heading: String
    var bytes: Int
    var hash: UInt64

    /// Without the heading: a part that moves below another one is the same.
    package static func == (left: Part, right: Part) -> Bool {
      left.hash == right.hash && left.bytes == right.bytes
    }
    package func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  /// `systemPrompt` or `userPrompt`.
  package var field: String
  /// As JSON, without the quotes.
  package var bytes: Int
  package var parts: [Part] = []

  static let fields: Set<String> = ["systemPrompt", "userPrompt"]
  /// The rest of a longer prompt is one part.
  private static let maxParts = 96
  private static let maxHeading = 40

  /// - Parameter json: the text as it stands in JSON, between the quotes.
  init(field: String, json: UnsafeRawBufferPointer) {
    self.field = field
    bytes = json.count
    var start = 0
    var heading = ""
    var hasWords = false
    var at = 0
    while at < json.count {
      let end = Self.lineEnd(json, at)
      let line = UnsafeRawBufferPointer(rebasing: json[at..<end.text])
      let title = Self.heading(line)
      // A part ends before a heading, and after an empty line.
      if title != nil || line.isEmpty, hasWords, parts.count < Self.maxParts - 1 {
        add(json, start..<at, heading)
        (start, hasWords) = (at, false)
      }
      if let title { heading = title }
      if !line.isEmpty { hasWords = true }
      at = end.next
    }
    if start < json.count { add(json, start..<json.count, heading) }
  }

  private mutating func add(
    _ json: UnsafeRawBufferPointer, _ range: Range<Int>, _ heading: String
  ) {
    let slice = UnsafeRawBufferPointer(rebasing: json[range])
    parts.append(Part(heading: heading, bytes: slice.count, hash: Self.hash(slice)))
  }

  /// Where the text of a line ends, and where the next one begins. A line break is `\n` in JSON.
  private static func lineEnd(
    _ json: UnsafeRawBufferPointer, _ start: Int
  ) -> (text: Int, next: Int) {
    var at = start
    while at < json.count {
      guard json[at] == UInt8(ascii: "\\") else {
        at += 1
        continue
      }
      if at + 1 < json.count, json[at + 1] == UInt8(ascii: "n") { return (at, at + 2) }
      at += 2
    }
    return (json.count, json.count)
  }

  /// The words of a heading such as `=== MEMORY ===` or `## Tools`; nil for other lines.
  private static func heading(_ line: UnsafeRawBufferPointer) -> String? {
    guard let first = line.first else { return nil }
    let isMarked =
      first == UInt8(ascii: "#")
      || line.count > 3 && line.prefix(3).allSatisfy { $0 == UInt8(ascii: "=") }
    guard isMarked else { return nil }
    let words = line.drop { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: "#") || $0 == 0x20 }
    var text = words.prefix(maxHeading)
    while let last = text.last, last == UInt8(ascii: "=") || last == 0x20 { text.removeLast() }
    return String(decoding: text, as: UTF8.self)
  }

  /// A hash over eight bytes at a time: prompts have tens of kilobytes.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var value: UInt64 = 0xcbf2_9ce4_8422_2325 ^ UInt64(bytes.count)
    var at = 0
    while at + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      value = (value ^ word) &* 0x9E37_79B9_7F4A_7C15
      value ^= value >> 29
      at += 8
    }
    while at < bytes.count {
      value = (value ^ UInt64(bytes[at])) &* 0x0000_0100_0000_01b3
      at += 1
    }
    return value ^ (value >> 32)
  }
}
