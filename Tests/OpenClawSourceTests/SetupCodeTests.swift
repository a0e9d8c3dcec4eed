import DeviceKeys
import OpenClawSource
import Testing

@Suite("setup codes") struct SetupCodeTests {
  static func code(_ json: String) -> String { Base64URL.encoded(Array(json.utf8)) }

  static let whole =
    #"{"url":"wss://claw.example","bootstrapToken":"bt_1","expiresAtMs":2000,"more":[1]}"#

  @Test("the code, its link, and what mail programs make of it are one code")
  func forms() throws {
    let plain = Self.code(Self.whole)
    let spaced = plain.prefix(20) + "\n  " + plain.dropFirst(20) + "\r\n"
    for text in [plain, "oc-pair://" + plain, "OC-PAIR://\(plain)/", plain + "==", String(spaced)] {
      let code = try SetupCode(text, nowMs: 1_999)
      #expect(code.url == "wss://claw.example" && code.bootstrapToken == "bt_1", "\(text)")
      #expect(code.expiresAtMs == 2_000)
    }
    let old = try SetupCode(
      Self.code(#"{"urls":["ws://10.0.0.1:1"],"bootstrapToken":"b?>"}"#), nowMs: 0)
    #expect(old.url == "ws://10.0.0.1:1" && old.bootstrapToken == "b?>" && old.expiresAtMs == nil)
  }

  @Test(
    "every fault has its sentence, which does not repeat the code",
    arguments: [
      ("", .empty), (" oc-pair:// ", .empty), (String(repeating: "A", count: 8_193), .tooLong),
      ("not a code!", .characters), ("A", .characters), (code("[1]"), .notJSON),
      (code("no json"), .notJSON), (code(String(whole.dropLast(4))), .notJSON),
      (Base64URL.encoded([0xFF, 0xFE, 0xFD]), .notJSON),
      (code(#"{"bootstrapToken":"bt_1"}"#), .noAddress),
      (code(#"{"url":"","urls":[7],"bootstrapToken":"bt_1"}"#), .noAddress),
      (code(#"{"url":"wss://claw.example"}"#), .noToken),
      (code(#"{"url":"wss://claw.example","bootstrapToken":""}"#), .noToken),
      (code(whole), .expired),
    ] as [(String, SetupCode.Problem)])
  func faults(text: String, problem: SetupCode.Problem) {
    #expect(throws: problem) { try SetupCode(text, nowMs: 2_000) }
    #expect(text.count < 4 || !problem.description.contains(text))
    #expect(problem.description.hasSuffix("."))
  }
}
