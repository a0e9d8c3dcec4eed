/// Makes all output of the hostile scenario hostile: every text a user could have typed, and, one
/// field per payload, values of the wrong type (contract 9.2 and 9.5).
///
/// Each payload counts separately what has been tainted, so that in a long enough run every field
/// of every payload has been hostile at least once.
struct Taint {
  /// Fields that a payload needs; without them there is nothing left to show.
  private static let spared: Set<String> = [
    "kind", "createdAt", "created_at", "id", "ok", "type", "mode",
  ]
  /// Texts that are references, times or names of the protocol. They are replaced by other types,
  /// not by hostile text, because users cannot type them.
  private static let technical: Set<String> = [
    "sessionId", "messageId", "channelId", "userId", "guildId", "guild_id", "channel_id",
    "user_id", "message_id", "voiceChannelId", "textChannelId", "role", "phase", "status",
    "realtimeToolOwnership", "toolType", "attentionMode", "scope", "subject", "fact_type",
    "dateKey", "day", "callId", "providerSession", "provider",
  ]

  private var texts = 0
  /// Per payload: fields already given a wrong kind.
  private var broken: [String: Set<String>] = [:]
  /// Payloads served, to break only some of them.
  private var served: [String: Int] = [:]

  /// One payload in this many gets broken fields.
  private let pause: Int
  /// Number of fields to break.
  private let breaks: Int

  init(pause: Int = 3, breaks: Int = 1) {
    self.pause = pause
    self.breaks = breaks
  }

  /// `json` with hostile texts, and now and then with one broken field. `name` identifies the
  /// payload.
  mutating func spoil(_ json: DemoJSON, of name: String) -> DemoJSON {
    served[name, default: 0] += 1
    var breaking = served[name, default: 0] % pause == 0 ? breaks : 0
    return walk(json, name: name, key: "", path: "", breaking: &breaking)
  }

  private mutating func walk(
    _ json: DemoJSON, name: String, key: String, path: String, breaking: inout Int
  ) -> DemoJSON {
    switch json {
    case .object(let object):
      var members: [DemoJSON.Object.Member] = []
      for member in object.members {
        let path = path + "." + member.key
        if breaking > 0, !Self.spared.contains(member.key),
          !broken[name, default: []].contains(path)
        {
          breaking -= 1
          broken[name, default: []].insert(path)
          members.append(.init(key: member.key, value: wrong(member.value)))
          members.append(.init(key: "__extra_\u{202E}key", value: ["of": "the \u{1B}[7mfuture"]))
          continue
        }
        members.append(
          .init(
            key: member.key,
            value: walk(
              member.value, name: name, key: member.key, path: path, breaking: &breaking)))
      }
      return .object(.init(members))
    case .array(let values):
      return .array(
        values.map { walk($0, name: name, key: key, path: path, breaking: &breaking) })
    case .string(let text):
      guard Self.isFreeText(key, text) else { return json }
      texts += 1
      return Self.hostile(text, texts)
    default:
      return json
    }
  }

  /// Prose, names and notes; not ids, times, addresses and words of the protocol.
  private static func isFreeText(_ key: String, _ text: String) -> Bool {
    if spared.contains(key) || technical.contains(key) { return false }
    if key.hasSuffix("At") || key.hasSuffix("Id") || key.hasSuffix("_at") { return false }
    let names: Set<String> = [
      "name", "displayName", "speakerName", "created_by_name", "serverName", "title", "artist",
      "category", "toolName", "error", "lastError", "userTag", "codec", "text", "fact", "note",
    ]
    return names.contains(key) || text.contains(" ")
  }

  private static func hostile(_ text: String, _ number: Int) -> DemoJSON {
    let short = String(text.prefix(160))
    let tail: DemoJSON? =
      switch number % 12 {
      case 0: .string("\u{1B}[31m\(short)\u{1B}[0m\u{1B}]0;title\u{7}")
      case 1: .string("\u{202E}\(short)\u{2066} \u{200F}")
      case 2: .units(Array(short.utf16) + [0x20, 0xD83D])
      case 3: .units([0xDE00] + Array(short.utf16))
      case 4: .string("👩‍❤️‍💋‍👨🏴‍☠️🇺🇳 \(short) \u{1F9D1}\u{200D}\u{1F680}")
      case 5: .string("全角ｶﾅ한국어 \(short) ﷽ 𒐫")
      case 6: .string("\(short)\r\n\t\u{0}\u{8}\u{7F}\u{85}\u{2028}\u{9B}31m")
      case 7: .string(String(repeating: short + " ", count: max(1, 2600 / max(1, short.count))))
      case 8: .string("Z" + String(repeating: "\u{334}\u{301}\u{35C}", count: 60) + short)
      case 9: .string("\(short) NaN Infinity -0 1e999 0x1p-1074 null undefined")
      case 10: .string("\u{1B}]8;;https://example.invalid/\u{1B}\\\(short)\u{1B}]8;;\u{1B}\\")
      default: nil
      }
    return tail ?? .string(text)
  }

  /// The same field as another kind of value.
  private mutating func wrong(_ value: DemoJSON) -> DemoJSON {
    texts += 1
    let odd: [DemoJSON] = [
      .null, 1e308, "NaN", -1, .bool(true), [], [:], "", 9_007_199_254_740_993, "1e999", [nil],
      0.1, .double(-.leastNonzeroMagnitude),
    ]
    let next = odd[texts % odd.count]
    return next == value ? "\u{1B}c" : next
  }
}
