import LenientJSON
import Testing

@testable import ClankyWire

/// The statistics without the voice state that each of them carries.
@Suite struct StatsWithoutVoiceTests {
  private func read(_ text: String) throws -> StatsEnvelope? {
    let bytes = Array(text.utf8)
    let result = bytes.withUnsafeBytes { buffer in
      Result { () throws(JSONError) in try StatsEnvelope.withoutVoice(buffer) }
    }
    return try result.get()
  }

  @Test(arguments: [
    "{\"stats\":{\"totalCostUsd\":1.5},\"runtime\":{\"isReady\":true,\"voice\":{\"sessions\":[]},"
      + "\"guildCount\":3}}",
    "{\"runtime\":{\"voice\":null,\"userTag\":\"clanky#0001\"},\"stats\":null}",
    "{\"stats\":{\"totalCostUsd\":2}}", "{}", "{\"runtime\":null}", "{\"runtime\":[1]}",
    "{\"runtime\":{\"voice\":{\"activeCount\":1},\"guild\\u0043ount\":4}}",
    "{\"runtime\":{\"voice\":1,\"voice\":{\"activeCount\":1},\"guildCount\":5}}", "[]", "7",
  ]) func isTheEnvelopeButForTheVoice(text: String) throws {
    var expected = StatsEnvelope(try JSONValue.parse(text))
    expected?.runtime?.voice = nil
    #expect(try read(text) == expected)
  }

  @Test(arguments: ["", "{", "{\"runtime\":{\"voice\":{}}", "{\"runtime\":{\"voice\":tru}}"])
  func whatIsNoJSONIsAnError(text: String) {
    #expect(throws: JSONError.self) { try read(text) }
  }
}

/// Comparing texts byte by byte.
@Suite struct SameBytesTests {
  @Test func everyByteCounts() {
    for count in 0...40 {
      let text = (0..<count).map { UInt8($0) }
      text.withUnsafeBytes { #expect($0.hasSameBytes(as: text)) }
      for place in 0..<count {
        var other = text
        other[place] ^= 0x80
        text.withUnsafeBytes { #expect(!$0.hasSameBytes(as: other)) }
      }
      text.withUnsafeBytes { #expect(!$0.hasSameBytes(as: text + [0])) }
    }
  }
}
