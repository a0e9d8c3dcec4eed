import ClankyWire
import JSONTestKit
import LenientJSON
import Testing

@Suite struct ActionScannerTests {
  /// The expected result of the scan, read the slow way.
  private struct Expected: Equatable {
    var kind: String
    var time: Int64
    var content, guild, channel, message, user: String?
    var id: Int?
    var cost: Double?
    var metadata: JSONValue

    init?(_ bytes: [UInt8]) {
      guard let tree = try? JSONValue.parse(bytes), let fields = JSONFields(tree),
        let kind = fields.string("kind"), !kind.isEmpty,
        let time = fields.time("created_at", "createdAt")
      else { return nil }
      self.kind = kind
      self.time = time.milliseconds
      content = fields.string("content").flatMap { $0.isEmpty ? nil : $0 }
      guild = fields.id("guild_id", "guildId")
      channel = fields.id("channel_id", "channelId")
      message = fields.id("message_id", "messageId")
      user = fields.id("user_id", "userId")
      id = fields.int("id").flatMap { $0 >= 0 ? $0 : nil }
      cost = fields.double("usd_cost", "usdCost")
      metadata = fields.value("metadata") ?? .null
      switch metadata {
      case .object, .array, .string: break
      default: metadata = .null
      }
    }

    init(_ action: Action) {
      kind = action.kind
      time = action.time.milliseconds
      content = action.content
      guild = action.guildID
      channel = action.channelID
      message = action.messageID
      user = action.userID
      id = action.id
      cost = action.costUSD
      metadata = action.metadata()
    }
  }

  private func check(_ bytes: [UInt8]) {
    let expected = Expected(bytes)
    let found = (try? Action(json: bytes)).map(Expected.init)
    #expect(found == expected, "\(String(decoding: bytes, as: UTF8.self))")
  }

  @Test(arguments: 0..<8) func agreesWithTheParserOnRandomActions(seed: UInt64) {
    var json = RandomJSON(seed + 1)
    for _ in 0..<1500 {
      let bytes = Array(json.action().utf8)
      check(bytes)
      check(json.mutate(bytes))
    }
  }

  @Test(arguments: 0..<4) func agreesWithTheParserOnAnyJSON(seed: UInt64) {
    var json = RandomJSON(seed + 100)
    for _ in 0..<1500 {
      let bytes = Array(json.value(depth: 4).utf8)
      for bytes in [bytes, json.mutate(bytes)] {
        let isJSON = (try? JSONValue.parse(bytes)) != nil
        let skipped = bytes.withUnsafeBytes { buffer in
          guard var cursor = JSONCursor(buffer) else { return false }
          cursor.skipSpace()
          guard cursor.skipValue() else { return false }
          cursor.skipSpace()
          return cursor.at == buffer.count
        }
        #expect(skipped == isJSON, "\(String(decoding: bytes, as: UTF8.self))")
      }
    }
  }

  @Test(.enabled(if: Shared.exists)) func agreesOnMutatedCaptures() throws {
    var json = RandomJSON(7)
    let events = try Shared.events(["action_event"], in: "wire/captures/activity.sse")
    #expect(events.count == 295)
    for (_, data) in events where data.count < 4000 {
      check(data)
      for _ in 0..<3 { check(json.mutate(data)) }
    }
  }

  @Test func bothShapesAreOne() throws {
    let live = try Action(
      json: Array(
        #"{"createdAt":"2026-05-09T18:22:41.307Z","kind":"llm_call","guildId":"1","channelId":"2","userId":"3","content":"a","metadata":{"x":1},"usdCost":0.0084,"level":"info"}"#
          .utf8))
    let stored = try Action(
      json: Array(
        #"{"id":5,"created_at":"2026-05-09T18:22:41.307Z","guild_id":"1","channel_id":"2","message_id":null,"user_id":"3","kind":"llm_call","content":"a","metadata":{"x":1},"usd_cost":0.0084}"#
          .utf8))
    #expect(live.id == nil)
    #expect(stored.id == 5)
    #expect(live.time == stored.time && live.userID == stored.userID)
    #expect(live.costUSD == stored.costUSD && live.metadata() == stored.metadata())
    let withID = Array(#""id":null,"#.utf8)
    let fromLive = String(decoding: ActionJSON.line(live), as: UTF8.self)
    let fromStored = String(decoding: ActionJSON.line(stored), as: UTF8.self)
    #expect(fromLive.replacing(#""id":null,"#, with: #""id":5,"#) == fromStored)
    #expect(withID.count == 10)
  }

  @Test(
    "a cost that is no amount is not given back as nothing (promises P1b, P11)",
    arguments: [
      ("0.5", "0.5"), ("-0", "-0"), ("1e400", "1e400"), ("1e308", "1e308"), ("null", "0"),
      ("NaN", "null"), ("-Infinity", "null"), (#""x""#, "null"), (#""1e400""#, "null"),
      ("{}", "null"), ("true", "null"),
    ])
  func oddCosts(wire: String, wanted: String) throws {
    for name in ["usd_cost", "usdCost"] {
      let text = #"{"kind":"x","createdAt":"2026-05-09T18:22:41.307Z","\#(name)":\#(wire)}"#
      let action = try Action(json: Array(text.utf8))
      let line = String(decoding: ActionJSON.line(action), as: UTF8.self)
      #expect(line.contains("\"usd_cost\":\(wanted),"), "\(line)")
      #expect(action.costUSD?.isFinite ?? true)
    }
  }

  @Test func rejectionsSayWhy() {
    func rejection(_ text: String) -> ActionRejection? {
      do {
        _ = try Action(json: Array(text.utf8))
        return nil
      } catch { return error }
    }
    #expect(rejection("") == .notJSON(offset: 0))
    #expect(rejection("[]") == .notAnObject)
    #expect(rejection("{") == .notJSON(offset: 1))
    #expect(rejection(#"{"createdAt":"2026-05-09T18:22:41.307Z"}"#) == .noKind)
    #expect(rejection(#"{"kind":7,"createdAt":"2026-05-09T18:22:41.307Z"}"#) == .noKind)
    #expect(rejection(#"{"kind":"x"}"#) == .noTime)
    #expect(rejection(#"{"kind":"x","createdAt":"yesterday"}"#) == .noTime)
    #expect(rejection(#"{"kind":"x","createdAt":"2026-05-09T18:22:41.307Z"} x"#) != nil)
  }

  @Test func depthCostsNothing() throws {
    let depth = 300_000
    let text =
      #"{"kind":"x","createdAt":"2026-05-09T18:22:41.307Z","metadata":{"a":"#
      + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}}"
    let action = try Action(json: Array(text.utf8))
    #expect(action.kind == "x")
    #expect(action.metadata()["a"] != nil)
  }

  @Test func mixedDepthIsChecked() throws {
    // Sixty-four levels fill a word of the stack; around that number nothing may slip.
    for depth in [1, 63, 64, 65, 127, 128, 129, 200] {
      var open = ""
      var close = ""
      for level in 0..<depth {
        open += level % 3 == 0 ? "[" : #"{"k":"#
        close = (level % 3 == 0 ? "]" : "}") + close
      }
      let good = open + "1" + close
      let swapped = open + "1" + close.dropLast() + (close.hasSuffix("]") ? "}" : "]")
      for (text, expected) in [(good, true), (swapped, false)] {
        let bytes = Array(text.utf8)
        let result = bytes.withUnsafeBytes { buffer -> Bool in
          guard var cursor = JSONCursor(buffer) else { return false }
          return cursor.skipValue() && cursor.at == buffer.count
        }
        #expect(result == expected, "depth \(depth)")
      }
    }
  }

  @Test(arguments: [
    ("0.0084", 8_400_000), ("2.8e-7", 280), ("0.10595600000000001", 105_956_000), ("0", 0),
    ("1", 1_000_000_000), ("-1", 0), ("12.5", 12_500_000_000), ("0.0000000005", 1),
    ("1e308", Int64.max), ("99999999999999999999", Int64.max),
  ])
  func costsAreReadToTheBillionth(text: String, nanos: Int64) throws {
    for spelled in [text, "\"\(text)\""] {
      let json = #"{"kind":"x","createdAt":"2026-05-09T18:22:41.307Z","usdCost":"# + spelled + "}"
      let scan = try Array(json.utf8).withUnsafeBytes { bytes in try ActionScanner.scan(bytes) }
      #expect(scan.costNanos == nanos)
    }
  }
}
