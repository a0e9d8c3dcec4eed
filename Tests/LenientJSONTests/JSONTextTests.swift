import Foundation
import JSONTestKit
import LenientJSON
import Testing

@Suite struct JSONTextTests {
  private func safe(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    bytes.withUnsafeBytes { JSONText.asciiSafe($0, into: &out) }
    return out
  }

  /// The tree without what JSON cannot spell.
  private func strict(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number): number.text.hasSuffix("y") || number.text == "NaN" ? .null : value
    case .array(let elements): .array(elements.map(strict))
    case .object(let object):
      .object(
        JSONObject(members: object.members.map { .init(key: $0.key, value: strict($0.value)) }))
    default: value
    }
  }

  @Test("more values than a backend has reason to send are refused, not kept (promise P5b)")
  func valuesAreBounded() {
    let text = "[" + String(repeating: "0,", count: JSONParser.maxValues) + "0]"
    #expect(throws: JSONError.self) { try JSONValue.parse(Array(text.utf8)) }
  }

  @Test("an element of a list that is no JSON costs itself (promise P3)")
  func badElements() throws {
    func elements(_ text: String) throws -> [JSONValue] {
      guard case .array(let values) = try JSONValue.parse(Array(text.utf8), sparesRows: true)
      else { return [] }
      return values
    }
    for bad in [
      #"{"a":nul}"#, #"{"a" 5}"#, "nope", #"{"x":"],}\"","y":01x}"#, #"{"a":"\u12"}"#,
    ] {
      let values = try elements("[1, \(bad) ,{\"b\":[2]}]")
      #expect(values.count == 3 && values[1] == .null, "\(bad)")
      #expect(values[2]["b"] != nil, "\(bad)")
      #expect(throws: JSONError.self) { try JSONValue.parse(Array("[\(bad)]".utf8)) }
    }
    #expect(try elements(#"["a\qb"]"#) == [.string("a\u{FFFD}b")])
    // Where its end cannot be told the list is none.
    for text in [#"[1,{"a":"b]"#, #"[1,{"a":[1,}]}]"#, "[1,{]}]", "[1,{"] {
      #expect(throws: JSONError.self) { try elements(text) }
    }
  }

  @Test(arguments: 0..<4) func asciiSafeGivesTheExactTextBack(seed: UInt64) throws {
    var json = RandomJSON(seed + 30)
    for _ in 0..<600 {
      let text = json.value(depth: 4)
      let out = safe(Array(text.utf8))
      #expect(out.allSatisfy { (0x20..<0x7F).contains($0) })
      #expect(try JSONValue.parse(out) == strict(JSONValue.parse(text)))
      #expect(safe(out) == out)
    }
  }

  @Test func asciiSafeIsStrictlyValid() throws {
    let text =
      "{ \"a\u{1b}\" : [ NaN , -Infinity , 1.50 , \"\\ud83d\" , \"\u{202e}é👍\u{7f}\u{85}\" ] , \"t\":\"a\tb\" }"
    #expect(
      String(decoding: safe(Array(text.utf8)), as: UTF8.self)
        == #"{"a\u001b":[null,null,1.50,"\ud83d","\u202e\u00e9\ud83d\udc4d\u007f\u0085"],"t":"a\u0009b"}"#
    )
    #expect(safe([0x22, 0xFF, 0x61, 0xE2, 0x82, 0x22]) == Array(#""\ufffda\ufffd""#.utf8))
    #expect(safe(Array("{oops".utf8)) == Array("null".utf8))
    #expect(safe([]) == Array("null".utf8))
  }

  @Test func quoteIsReadBackByAnyReader() throws {
    let text = "\"\\\n\t\u{0}\u{1b}\u{7f}\u{9b}é日👍\u{2028}"
    let quoted = JSONText.quote(text)
    #expect(quoted.allSatisfy { (0x20..<0x7F).contains($0) })
    let back = try JSONSerialization.jsonObject(with: Data(quoted), options: .fragmentsAllowed)
    #expect(back as? String == text)
  }

  @Test func canonicalPrefixIsTheSameForBothTwins() {
    func prefix(_ text: String, _ units: Int = 10) -> [UInt8] {
      var out: [UInt8] = []
      Array(text.utf8).withUnsafeBytes { JSONText.canonicalPrefix($0, units: units, into: &out) }
      return out
    }
    // A pair across the cut: the stored twin has a half of it, a replacement, or nothing.
    let live = prefix("123456789👍 and more")
    #expect(live == prefix("123456789\\ud83d"))
    #expect(live == prefix("123456789\u{FFFD}"))
    #expect(live == prefix("123456789"))
    #expect(prefix("12345678👍 and more") == prefix("12345678\\ud83d\\udc4d"))
    #expect(prefix("a\\nb") == Array("a\nb".utf8))
    #expect(prefix("0123456789xyz") == Array("0123456789".utf8))
  }

  @Test func numbersAreStrict() {
    for text in ["01", "1.", ".5", "1e", "1.2.3", "--1", "+1", "1e5.5", "0x1", "-"] {
      #expect((try? JSONValue.parse(text)) == nil, "\(text)")
    }
    for text in ["0", "-0", "1.5e-7", "1E+9", "NaN", "-Infinity"] {
      #expect((try? JSONValue.parse(text)) != nil, "\(text)")
    }
  }

  @Test func serializedForms() throws {
    let value = try JSONValue.parse(#"{"a":[1,{"b":null}],"e":{},"s":"x\ny\u0007é"}"#)
    #expect(value.serialized() == #"{"a":[1,{"b":null}],"e":{},"s":"x\ny\u0007é"}"#)
    #expect(try JSONValue.parse(value.serialized(pretty: true)) == value)
    #expect(value.prettyLines(limit: 3).count == 3)
    #expect(value.prettyLines()[1] == #"  "a": ["#)
  }

  @Test func writerKeepsTheOrder() throws {
    var writer = JSONObjectWriter()
    writer.string("type", "x\u{1b}")
    writer.int("n", nil)
    writer.double("d", .infinity)
    writer.bool("b", true)
    writer.value("v", .array([.number(JSONNumber(text: "1.0"))]))
    let line = String(decoding: writer.finish(), as: UTF8.self)
    #expect(line == #"{"type":"x\u001b","n":null,"d":null,"b":true,"v":[1.0]}"#)
  }
}
