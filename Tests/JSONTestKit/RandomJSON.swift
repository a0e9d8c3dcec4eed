/// A small generator with a seed, so that a failure can be repeated (xorshift64*).
package struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  package init(_ seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

  package mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }
}

/// Random JSON text, with all that backends send and some that they should not.
package struct RandomJSON {
  package var random: SeededRandom

  package init(_ seed: UInt64) { random = SeededRandom(seed) }

  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }

  package mutating func string() -> String {
    let pieces = [
      "a", "kind", "wörld", "日本", "👩‍👩‍👧", "\\n", "\\\"", "\\\\", "\\/", "\\u0041", "\\ud83d\\ude00",
      "\\ud83d", "\\udc00", "\u{1}", "\u{1b}[31m", "{", "}", "[", "]", ",", ":", "\u{202e}", " ",
      "0123456789abcdef0123456789", "\u{7f}", "\u{2028}",
    ]
    return "\"" + (0..<Int.random(in: 0...6, using: &random)).map { _ in pick(pieces) }.joined()
      + "\""
  }

  package mutating func scalar() -> String {
    switch Int.random(in: 0...9, using: &random) {
    case 0: "null"
    case 1: "true"
    case 2: "false"
    case 3: pick(["0", "-0", "1", "42", "-17", "1e400", "0.10595600000000001", "9007199254740993"])
    case 4: pick(["NaN", "Infinity", "-Infinity", "1E-7", "2.8e-7", "3.0"])
    default: string()
    }
  }

  package mutating func value(depth: Int) -> String {
    guard depth > 0 else { return scalar() }
    func space(_ random: inout SeededRandom) -> String {
      Bool.random(using: &random)
        ? "" : [" ", "\n", "\t ", "\r\n"].randomElement(using: &random) ?? ""
    }
    switch Int.random(in: 0...4, using: &random) {
    case 0:
      let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1)
      }
      return "[" + space(&random) + elements.joined(separator: "," + space(&random)) + "]"
    case 1, 2:
      let members = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        string() + space(&random) + ":" + space(&random) + value(depth: depth - 1)
      }
      return "{" + space(&random) + members.joined(separator: space(&random) + ",") + space(&random)
        + "}"
    default: return scalar()
    }
  }

  /// An object that is often an action.
  package mutating func action() -> String {
    let keys = [
      "id", "kind", "content", "metadata", "created_at", "createdAt", "guild_id", "guildId",
      "channel_id", "channelId", "message_id", "messageId", "user_id", "userId", "usd_cost",
      "usdCost", "level", "k\\u0069nd", "created_a\\u0074", "other",
    ]
    var members = ["\"kind\":\"llm_call\"", "\"createdAt\":\"2026-05-09T18:22:41.307Z\""]
    if Int.random(in: 0...3, using: &random) == 0 { members.removeLast() }
    for _ in 0..<Int.random(in: 0...9, using: &random) {
      members.append("\"\(pick(keys))\":" + fieldValue())
    }
    members.shuffle(using: &random)
    return "{" + members.joined(separator: ",") + "}"
  }

  private mutating func fieldValue() -> String {
    switch Int.random(in: 0...5, using: &random) {
    case 0: pick(["\"2026-05-09T18:22:41.307Z\"", "\"2026-05-09T18:22:41\\u005a\"", "\"soon\""])
    case 1: pick(["\"812345678901234567\"", "812345678901234567", "\"\"", "null"])
    case 2: pick(["17", "\"17\"", "17.0", "-3", "0.0084", "\"0.0084\"", "1e400", "NaN", "2.8e-7"])
    default: value(depth: 2)
    }
  }

  /// One byte or a few are changed, lost or doubled.
  package mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      switch Int.random(in: 0...4, using: &random) {
      case 0: bytes.remove(at: place)
      case 1: bytes.insert(bytes[place], at: place)
      case 2: bytes[place] = pick(Array("\"\\{}[],:0a.-eEtfnNI \n".utf8))
      case 3: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      default: bytes.removeSubrange(place...)
      }
    }
    return bytes
  }
}
