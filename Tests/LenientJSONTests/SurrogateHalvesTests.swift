import LenientJSON
import Testing

/// Half a surrogate pair goes through the program unharmed (promise P1b).
@Suite struct SurrogateHalvesTests {
  /// Bodies of JSON strings, spelled as ours are.
  private static let spelled = [
    #"a\ud800b"#, #"\udfff\ud800"#, #"\ud83d\ud83d\ude00"#, #"\ude00\ud83d"#, #"\udbfc"#,
    #"\udbfc\udc00"#, #"\udbfd\udfff"#, #"\udbfe\udc00"#, #"\uffff\ufffd"#, "plain",
  ]

  private func text(_ body: String) throws -> String {
    try #require(try JSONValue.parse("\"\(body)\"").string)
  }

  private func ascii(_ text: String) -> String {
    String(decoding: JSONText.quote(text).dropFirst().dropLast(), as: UTF8.self)
  }

  @Test("every text comes out as it came", arguments: spelled)
  func roundTrip(body: String) throws {
    let text = try text(body)
    #expect(ascii(text) == body)
    #expect(try JSONValue.parse(JSONValue.string(text).serialized()).string == text)
    #expect(
      try JSONValue.parse(JSONValue.string(text).serialized(pretty: true)).string == text)
    let decoded = Array(body.utf8).withUnsafeBytes { JSONText.decode($0) }
    #expect(decoded == text)
    let key = JSONValue.object(JSONObject(members: [.init(key: text, value: .null)]))
    #expect(try JSONValue.parse(key.serialized()) == key)
  }

  @Test("one half is one unit, and U+FFFD where no JSON is written")
  func outside() throws {
    #expect(try text(#"a\ud800b"#).unitCount == 3)
    #expect(try text(#"\ud83d\ude00"#).unitCount == 2)
    #expect(try text(#"a\ud800b"#).withoutHalves == "a\u{FFFD}b")
    #expect(try text(#"\ud83d\ude00"#).withoutHalves == "😀")
  }

  @Test("a character that stands for a half is itself when it comes")
  func reserved() throws {
    for character in ["\u{10F000}", "\u{10F3FF}", "\u{10F400}", "\u{10F7FF}"] {
      let raw = try #require(JSONValue.parse("\"\(character)\"").string)
      #expect(raw.withoutHalves == character)
      #expect(raw.unitCount == 2)
      #expect(raw == character.keepingReservedCharacters)
      let units = Array(character.utf16).map { String($0, radix: 16) }
      #expect(ascii(raw) == "\\u\(units[0])\\u\(units[1])")
      #expect(try text(ascii(raw)) == raw)
      let bytes = Array(character.utf8).withUnsafeBytes { JSONText.decode($0) }
      #expect(bytes == raw)
    }
    // Its neighbours and broken beginnings of it stay what they are.
    for character in ["\u{10EFFF}", "\u{10F800}", "\u{100000}", "😀"] {
      #expect(try JSONValue.parse("\"\(character)\"").string == character)
    }
    let broken: [UInt8] = [0x22, 0xF4, 0x8F, 0x80, 0x22]
    #expect(try JSONValue.parse(broken).string == "\u{FFFD}")
  }
}
