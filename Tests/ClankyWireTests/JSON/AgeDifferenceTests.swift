import Foundation
import Testing

@testable import ClankyWire

@Suite struct AgeDifferenceTests {
  private func isSame(_ one: String, _ other: String) -> Bool {
    Array(one.utf8).withUnsafeBytes { one in
      Array(other.utf8).withUnsafeBytes { one.isSame(butForAgesAs: $0) }
    }
  }

  @Test(
    "ages may differ, and be of other lengths",
    arguments: [
      (#"{"ageMs":1}"#, #"{"ageMs":1}"#), (#"{"ageMs":1}"#, #"{"ageMs":2}"#),
      (#"{"ageMs":999,"b":"x"}"#, #"{"ageMs":1000,"b":"x"}"#),
      (#"{"a":0,"idleMs":19}"#, #"{"a":0,"idleMs":190}"#),
      (#"[{"ageMs":9},{"ageMs":12}]"#, #"[{"ageMs":12},{"ageMs":9}]"#),
      (#"{"msSinceDirectAddress":0,"b":[]}"#, #"{"msSinceDirectAddress":77,"b":[]}"#),
      ("", ""),
    ])
  func ages(one: String, other: String) {
    #expect(isSame(one, other) && isSame(other, one))
  }

  @Test(
    "anything else makes another text of it",
    arguments: [
      (#"{"ageMs":1}"#, #"{"ageMs":1} "#), (#"{"ageMs":1}"#, #"{"ageMs":null}"#),
      (#"{"ageMs":1}"#, #"{"ageMs":-1}"#), (#"{"ageMs":1}"#, #"{"ageMs":1.5}"#),
      (#"{"ageMs":1}"#, #"{"ageMs":1e5}"#), (#"{"ageMs":1}"#, #"{"ageMs":"1"}"#),
      (#"{"ageMs":1}"#, #"{"ageMs":01}"#), (#"{"ageMs":1}"#, #"{"ageMs":1,"x":2}"#),
      (#"{"ageMs":1}"#, #"{"ageMs":1234567890123456}"#),
      (#"{"count":1}"#, #"{"count":2}"#), (#"{"ageMinutes":1}"#, #"{"ageMinutes":2}"#),
      (#"{"ageMs":1.5}"#, #"{"ageMs":2.5}"#), (#"{"ageMs": 1}"#, #"{"ageMs": 2}"#),
      (#"{"s":"ageMs:1"}"#, #"{"s":"ageMs:2"}"#),
      (#"{"s":"{\"ageMs\":1}"}"#, #"{"s":"{\"ageMs\":2}"}"#),
      (#"{"s":",\"ageMs\":1,"}"#, #"{"s":",\"ageMs\":2,"}"#),
      (#"{"ageMs":1}"#, #"{"ageMs":1"#), (#"{"ageMs":1"#, #"{"ageMs":2"#), (#"x":1}"#, #"x":2}"#),
      (":1", ":2"), ("1", "2"), ("", "1"), (#"{"idMs":1}"#, #"{"ageMs":1}"#),
    ])
  func others(one: String, other: String) {
    #expect(!isSame(one, other) && !isSame(other, one))
  }

  @Test("bytes that are changed at random are the same only where the JSON is, but for ages")
  func random() throws {
    var random = SystemRandomNumberGenerator()
    let text = Array(
      #"{"a":[{"ageMs":12,"n":7,"s":"\"ageMs\":3,"},{"idleMs":0}],"msSinceX":120,"b":{"ageMs":9}}"#
        .utf8)
    let bytes = Array(#"0123456789.-e,:"\{}[] agMs"#.utf8)
    var found = 0
    for _ in 0..<40_000 {
      var other = text
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let at = Int.random(in: 0..<other.count, using: &random)
        let byte = bytes[Int.random(in: 0..<bytes.count, using: &random)]
        switch Int.random(in: 0...2, using: &random) {
        case 0: other[at] = byte
        case 1: other.insert(byte, at: at)
        default: other.remove(at: at)
        }
      }
      let same = other.withUnsafeBytes { one in
        text.withUnsafeBytes { one.isSame(butForAgesAs: $0) }
      }
      guard same else { continue }
      found += 1
      let (left, right) = try (Self.without(text), Self.without(other))
      try #require(left == right, "\(String(decoding: other, as: UTF8.self))")
    }
    #expect(found > 0)
  }

  /// What a text says, ages left out; throws where it is no JSON to a reader of another kind.
  private static func without(_ text: [UInt8]) throws -> NSObject {
    func strip(_ value: Any) -> Any {
      if let object = value as? [String: Any] {
        return object.filter { key, value in
          !(["ageMs", "idleMs"].contains(key) || key.hasPrefix("msSince")) || !(value is Int)
        }.mapValues(strip)
      }
      if let list = value as? [Any] { return list.map(strip) }
      return value
    }
    return try #require(
      strip(try JSONSerialization.jsonObject(with: Data(text))) as? NSDictionary)
  }
}
