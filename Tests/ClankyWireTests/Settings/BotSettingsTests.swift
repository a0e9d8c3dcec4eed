import ClankyWire
import Foundation
import JSONTestKit
import LenientJSON
import Testing

@Suite("Settings document")
struct BotSettingsTests {
  @Test("an answer in both dialects")
  func answers() throws {
    let may = try #require(SettingsFixture.read(SettingsFixture.may))
    #expect(may.flaw == nil)
    #expect(may.dialect == .may)
    #expect(may.version == "2026-05-10T08:00:00.000Z")
    #expect(may.isApplied == nil)
    let path = try #require(SettingPath("permissions.replies.maxMessagesPerHour"))
    #expect(may.differsFromDefault(path))
    #expect(may.intent.value(at: path)?.int == 9999)
    #expect(may.effective.value(at: path)?.int == 500)
    let march = try #require(SettingsFixture.read(SettingsFixture.march))
    #expect(march.flaw == nil)
    #expect(march.dialect == .march)
    #expect(march.isApplied == false)
    #expect(march.applyError == "no session")
  }

  @Test(
    "a document that was not read whole has a flaw",
    arguments: [
      (#"{"effective":{},"_meta":{"updatedAt":"x"}}"#, "intent"),
      (#"{"intent":7,"effective":{},"_meta":{"updatedAt":"x"}}"#, "intent"),
      (#"{"intent":{},"effective":{}}"#, "version"),
      (#"{"intent":{"a":NaN},"effective":{},"_meta":{"updatedAt":"x"}}"#, "NaN"),
      (#"{"intent":{"a":1e400},"effective":{},"_meta":{"updatedAt":"x"}}"#, "1e400"),
      (#"{"intent":{"a":1,"a":2},"effective":{},"_meta":{"updatedAt":"x"}}"#, "twice"),
      (#"{"intent":{"\u00e9":1,"e\u0301":2},"effective":{},"_meta":{"updatedAt":"x"}}"#, "twice"),
    ])
  func flaws(_ text: String, _ word: String) throws {
    let settings = try #require(SettingsFixture.read(text))
    #expect(settings.flaw?.contains(word) == true)
  }

  @Test("more ways to lose something")
  func losses() throws {
    let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
    let nested = try #require(
      SettingsFixture.read(#"{"intent":{"a":\#(deep)},"effective":{},"_meta":{"updatedAt":"x"}}"#))
    #expect(nested.flaw?.contains("deeply") == true)
    var bytes = Array(#"{"intent":{"a":"?"},"effective":{},"_meta":{"updatedAt":"x"}}"#.utf8)
    let place = try #require(bytes.firstIndex(of: UInt8(ascii: "?")))
    bytes[place] = 0xFF
    #expect(BotSettings(body: bytes)?.flaw?.contains("UTF-8") == true)
    #expect(BotSettings(body: Array("[]".utf8)) == nil)
    #expect(BotSettings(body: Array(#"{"intent":{}}"#.utf8)) == nil)
  }

  @Test("one change leaves every other spelling, order and unknown member as it came")
  func oneChange() throws {
    let settings = try #require(SettingsFixture.read(SettingsFixture.may))
    let path = try #require(SettingPath("voice.sessionLimits.maxSessionMinutes"))
    let changed = try settings.intent.setting(path, to: .number(JSONNumber(text: "45")))
    let text = String(
      decoding: BotSettings.body(changed, version: settings.version), as: UTF8.self)
    for kept in [
      #""maxMessagesPerHour":9999"#, #""kept":1.50"#, #""half":"\ud83d""#,
      #""order":{"z":1,"a":2}"#,
      #""temperature":8e-1"#, "0.10595600000000001",
      #""voice":{"sessionLimits":{"maxSessionMinutes":45}}"#,
      #""_meta":{"expectedUpdatedAt":"2026-05-10T08:00:00.000Z"}"#,
    ] {
      #expect(text.contains(kept), "\(kept)")
    }
    #expect(changed.removing(path) == settings.intent)
  }

  private func object(_ text: String) throws -> JSONObject {
    let json = try JSONValue.parse(text)
    return try #require(json.object)
  }

  @Test("what stands in the way is not overwritten")
  func notSection() throws {
    let intent = try object(#"{"voice":"off"}"#)
    let path = try #require(SettingPath("voice.enabled"))
    #expect(throws: SettingPathProblem.notSection(SettingPath(["voice"]))) {
      try intent.setting(path, to: .bool(true))
    }
    #expect(throws: SettingPathProblem.empty) {
      try intent.setting(SettingPath([]), to: .bool(true))
    }
  }

  @Test("paths are spelt and read alike")
  func paths() {
    for (text, keys) in [
      ("a", ["a"]), ("a.b-c.d_1", ["a", "b-c", "d_1"]), (#"p."gpt-5.4".x"#, ["p", "gpt-5.4", "x"]),
      (#""a\"b"."""#, ["a\"b", ""]),
    ] {
      #expect(SettingPath(text)?.keys == keys)
      #expect(SettingPath(keys).description == text)
    }
    for odd in ["", ".", "a.", ".a", "a..b", "a b", #"a"b""#, #""a"#, #""a"b"#] {
      #expect(SettingPath(odd) == nil, "\(odd)")
    }
  }

  @Test("differences are the settings that mean something else")
  func differences() throws {
    let before = try object(#"{"a":{"x":1.0,"y":[1],"o":{"p":1,"q":2}},"b":"é","c":{}}"#)
    let after = try #require(
      try JSONValue.parse(
        #"{"b":"e\u0301","a":{"o":{"q":2,"p":1},"x":1,"y":[2],"z":{"n":true}}}"#
      ).object)
    let found = SettingDifference.between(before, after).map(\.path.description)
    #expect(found == ["a.y", "a.z.n", "b", "c"])
    #expect(SettingDifference.between(after, after).isEmpty)
  }

  @Test("random documents: a change and its differences are the same thing", arguments: 0..<300)
  func randomDocuments(_ seed: UInt64) throws {
    var random = RandomJSON(seed)
    guard case .object(let object)? = try? JSONValue.parse(random.value(depth: 4)) else { return }
    // With a key twice, or a number that is none, a document is never changed.
    let text = JSONValue.object(object).serialized()
    let body = #"{"intent":\#(text),"effective":{},"_meta":{"updatedAt":"x"}}"#
    guard let settings = BotSettings(body: Array(body.utf8)), settings.flaw == nil,
      let leaf = settings.intent.settings.randomElement(using: &random.random)
    else { return }
    let whole = settings.intent
    let value = JSONValue.string("changed \(seed)")
    let changed = try whole.setting(leaf.path, to: value)
    #expect(
      SettingDifference.between(whole, changed)
        == [SettingDifference(path: leaf.path, before: leaf.value, after: value)])
    let sent = try JSONValue.parse(BotSettings.body(changed, version: "x"))
    #expect(
      sent.object.map { SettingDifference.between(changed, $0) }?.map(\.path.keys)
        == [["_meta", "expectedUpdatedAt"]])
    #expect(
      JSONValue.object(try changed.setting(leaf.path, to: leaf.value)).serialized()
        == JSONValue.object(whole).serialized())
  }

  @Test("secrets are masked wherever somebody put one, and counts of tokens are not")
  func secrets() throws {
    let json = try JSONValue.parse(
      #"""
      {"apiKey":"abc","maxOutputTokens":2500,"nested":{"access_token":"t","list":{"password":["p"]}},
       "url":"https://user:pw@host/x?token=abc&page=2#f","args":["--api-key","VALUE","--port","80"],
       "key":"sk-abcdefghijklmnopqrstuvwxyz","text":"a = b","empty":{"secret":""},
       "arg":"--password=hunter2","words":"the token is a word"}
      """#)
    let text = SettingSecrecy.masked(json).serialized()
    for secret in ["abc", "\"t\"", "\"p\"", "user", "pw@", "VALUE", "sk-", "hunter2"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    for kept in ["2500", "host/x?token=", "page=2", "\"80\"", "a = b", "the token is a word"] {
      #expect(text.contains(kept), "\(kept)")
    }
    #expect(
      SettingSecrecy.holdsMask(
        .array([.object(.init(members: [.init(key: "a", value: .string("x[secret]"))]))])))
    #expect(!SettingSecrecy.holdsMask(json))
  }
}
