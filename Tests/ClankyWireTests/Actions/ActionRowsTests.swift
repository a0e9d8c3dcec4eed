import ClankyWire
import JSONTestKit
import Testing

@Suite struct ActionRowsTests {
  private func split(_ text: String) -> (rows: [String], outcome: ActionRows.Outcome) {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBytes { buffer in
      var rows: [String] = []
      let outcome = ActionRows.split(buffer) {
        rows.append(String(decoding: UnsafeRawBufferPointer(rebasing: buffer[$0]), as: UTF8.self))
      }
      return (rows, outcome)
    }
  }

  @Test func bareArrayAndEnvelope() {
    #expect(split(#"[{"a":1}, {"b":[2,3]} ]"#).rows == [#"{"a":1}"#, #"{"b":[2,3]}"#])
    #expect(split("[]").outcome.isComplete)
    let (rows, outcome) = split(#" {"stats":{"x":[1]},"actions":[{"a":1}],"more":null} "#)
    #expect(rows == [#"{"a":1}"#])
    #expect(outcome.isComplete && outcome.rows == 1)
    #expect(outcome.stats.map { $0.count } == #"{"x":[1]}"#.count)
    #expect(split(#"{"actions":null,"stats":{}}"#).outcome.isComplete)
  }

  @Test func aBadRowCostsItself() {
    let (rows, outcome) = split(#"[{"a":1},{"b":bad,"c":[1,2],"s":"x,]"},{"d":4},oops,{"e":5}]"#)
    #expect(rows == [#"{"a":1}"#, #"{"d":4}"#, #"{"e":5}"#])
    #expect(outcome.badRows == 2 && outcome.isComplete)
  }

  @Test func brokenEndsKeepWhatWasThere() {
    let (rows, outcome) = split(#"{"actions":[{"a":1},{"b":2},{"c":"#)
    #expect(rows == [#"{"a":1}"#, #"{"b":2}"#])
    #expect(!outcome.isComplete)
    for text in ["", "x", "null", "{", "[", #"{"actions":[{"#, #"{"actions""#, "[,]", "[1,]"] {
      _ = split(text)
    }
  }

  @Test(arguments: 0..<4) func neverMissesAGoodRowBeforeTheDamage(seed: UInt64) {
    var json = RandomJSON(seed + 50)
    for _ in 0..<200 {
      let rows = (0..<5).map { _ in json.action() }
      let good = split("[" + rows.joined(separator: ",") + "]")
      #expect(good.rows == rows)
      let damaged = json.mutate(Array(rows[2].utf8))
      let text =
        "[\(rows[0]),\(rows[1])," + String(decoding: damaged, as: UTF8.self) + ",\(rows[3])]"
      #expect(split(text).rows.prefix(2) == rows.prefix(2))
    }
  }

  @Test("a list of a million empty rows is not a way to take all memory (promise P5b)")
  func rowsAreBounded() {
    let text = "[" + String(repeating: "0,", count: (1 << 20) + 9) + "0]"
    let outcome = Array(text.utf8).withUnsafeBytes { ActionRows.split($0) { _ in } }
    #expect(outcome.rows == 1 << 20 && outcome.badRows == 10 && outcome.isComplete)
  }

  @Test func hostileNestingIsLinear() {
    // Every bracket of a broken row opens a chance to start over; none may be taken.
    let text = "[" + String(repeating: "[", count: 200_000) + "x"
    #expect(split(text).outcome.isComplete == false)
  }
}
