import Testing

@testable import CockpitDemo

@Suite struct JSONTests {
  @Test(arguments: [
    (0.1 + 0.2, "0.30000000000000004"), (2.8e-7, "2.8e-7"), (0.000001, "0.000001"),
    (1e21, "1e+21"), (1.2345678901234568e20, "123456789012345680000"), (-0.0, "0"),
    (1.5, "1.5"), (-0.00001234, "-0.00001234"), (.leastNonzeroMagnitude, "5e-324"),
    (1e300, "1e+300"),
    (0.10595600000000001, "0.10595600000000001"), (.nan, "null"), (3.0, "3"),
    (12.34e10, "123400000000"), (1.7976931348623157e308, "1.7976931348623157e+308"),
  ])
  func numbersLookLikeJavaScript(value: Double, text: String) {
    #expect(DemoJSON.double(value).text == text)
  }

  @Test func keyOrderSurvives() {
    let json: DemoJSON = ["b": 1, "a": [true, nil], "c": ["z": "y", "x": 1.5]]
    #expect(json.text == #"{"b":1,"a":[true,null],"c":{"z":"y","x":1.5}}"#)
  }

  @Test func stringsAreEscapedLikeStringify() {
    let json = DemoJSON.string("\"\\\u{8}\u{C}\n\r\t\u{1}\u{1F}\u{7F}é😀/")
    #expect(json.text == "\"\\\"\\\\\\b\\f\\n\\r\\t\\u0001\\u001f\u{7F}é😀/\"")
    #expect(DemoJSON.units([0x41, 0xD83D]).text == "\"A\\ud83d\"")
    #expect(DemoJSON.units([0xD83D, 0xDE00]).text == "\"😀\"")
  }

  @Test func readerRoundTrips() throws {
    let text = #"{"a":[1,-2.5,"x\n\"é😀"],"b":{"c":null},"d":"\ud83d","e":12345678901}"#
    #expect(try DemoJSON.parse(text.utf8).text == text)
  }

  @Test(arguments: ["", "{", "[1,]", "{\"a\"}", "01x", "\"\u{1}\"", "tru", "[1] 2"])
  func readerRefuses(text: String) {
    #expect(throws: DemoJSONError.self) { try DemoJSON.parse(text.utf8) }
  }

  @Test func timestamps() {
    #expect(DemoTime.iso(0) == "1970-01-01T00:00:00.000Z")
    #expect(DemoTime.iso(1_778_349_600_000) == "2026-05-09T18:00:00.000Z")
    #expect(DemoTime.iso(951_782_400_123) == "2000-02-29T00:00:00.123Z")
    #expect(DemoTime.httpDate(1_778_349_600_000) == "Sat, 09 May 2026 18:00:00 GMT")
  }
}
