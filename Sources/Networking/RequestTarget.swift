/// A path and query below the base URL. This is the only place that percent-encodes them.
package struct RequestTarget: Sendable, Hashable, CustomStringConvertible {
  /// Path segments, not encoded: `["api", "actions"]`.
  package var segments: [String]
  /// Query items in order, not encoded.
  package var query: [QueryItem]

  /// One name and value of a query, not encoded.
  package struct QueryItem: Sendable, Hashable {
    /// Not encoded.
    package let name: String
    /// Not encoded.
    package let value: String

    /// Takes both parts unencoded.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Takes unencoded parts.
  package init(_ segments: [String], query: [QueryItem] = []) {
    self.segments = segments
    self.query = query
  }

  /// `/api/actions?limit=1000`, encoded.
  package var encoded: String {
    // Not `joined`: it is not specialized, and looks up conformances in all the program at a start.
    var target = ""
    for segment in segments { target += "/" + Self.encodeSegment(segment) }
    var separator = "?"
    for item in query {
      target += separator + Self.encode(item.name) + "=" + Self.encode(item.value)
      separator = "&"
    }
    return target
  }

  package var description: String { encoded }

  /// A segment of dots alone would be a step in the hierarchy, so its dots are encoded too.
  private static func encodeSegment(_ text: String) -> String {
    text == "." || text == ".." ? text.map { _ in "%2E" }.joined() : encode(text)
  }

  /// Percent-encodes everything but the unreserved characters of RFC 3986 section 2.3.
  package static func encode(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var output: [UInt8] = []
    output.reserveCapacity(text.utf8.count)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: output.append(byte)
      default:
        output.append(0x25)
        output.append(digits[Int(byte >> 4)])
        output.append(digits[Int(byte & 15)])
      }
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension RequestTarget {
  /// `GET /api/actions`. `sinceHours` is rounded up so that the answer never covers less.
  package static func actions(
    limit: Int, sinceHours: Double? = nil, kinds: [String] = [], guild: String? = nil
  ) -> RequestTarget {
    var query = [QueryItem("limit", String(limit))]
    if let sinceHours {
      // Four decimals are 0.36 s.
      query.append(QueryItem("sinceHours", Decimal4.roundedUp(sinceHours)))
    }
    if !kinds.isEmpty { query.append(QueryItem("kinds", kinds.joined(separator: ","))) }
    if let guild { query.append(QueryItem("guildId", guild)) }
    return RequestTarget(["api", "actions"], query: query)
  }

  /// The beginnings and ends of voice sessions that are on record, newest first: of some 200 sessions.
  package static func voiceBounds(guild: String? = nil) -> RequestTarget {
    actions(
      limit: voiceBoundsLimit, kinds: ["voice_session_start", "voice_session_end"], guild: guild)
  }

  /// How many rows that request asks for.
  package static let voiceBoundsLimit = 400

  /// Rows that name a voice session, newest first, of the kinds that are short and that hardly a session lacks: a
  /// session whose start is not on record is found through them.
  package static func voiceSightings(guild: String? = nil) -> RequestTarget {
    actions(limit: 1000, kinds: ["voice_turn_in", "voice_turn_out", "voice_error"], guild: guild)
  }

  /// `GET /api/stats`, whose counters can be scoped to one guild.
  package static func stats(guild: String?) -> RequestTarget {
    RequestTarget(["api", "stats"], query: guild.map { [QueryItem("guildId", $0)] } ?? [])
  }

  /// `GET /api/voice/state`.
  package static let voiceState = RequestTarget(["api", "voice", "state"])
}

extension RequestTarget {
  /// The feature that a backend without this path lacks, as text; nil for paths that every backend
  /// has.
  package var feature: String? {
    guard segments.count >= 2, segments[0] == "api" else { return nil }
    switch segments[1...] {
    case ["health"], ["stats"], ["actions"], ["voice", "state"], ["voice", "events"],
      ["activity", "events"]:
      return nil
    case ["memory"]: return "notes of its memory"
    case ["memory", "facts"]: return "facts"
    case ["memory", "owner-private", "facts"]: return "private facts of its owner"
    case ["memory", "subjects"]: return "subjects of facts"
    case ["memory", "search"]: return "search in its memory"
    case ["memory", "reflections"]: return "reflections"
    case ["memory", "fact-profile"]: return "profiles of people"
    case ["memory", "runtime-snapshot"]: return "look at what it would recall"
    case ["memory", "refresh"]: return "way to refresh its memory"
    case ["guilds"]: return "list of guilds"
    case ["automations"]: return "automations"
    case ["automations", "runs"]: return "runs of automations"
    case ["agents", "browser-sessions"]: return "list of browser agents"
    case ["settings"]: return "settings"
    case ["oauth", "status"]: return "accounts"
    case ["voice", "history", "sessions"]: return "list of past voice sessions"
    case ["voice", "join"]: return "way to join voice"
    case ["voice", "leave"]: return "way to leave voice"
    default: break
    }
    if segments.starts(with: ["api", "voice", "history", "sessions"]) {
      return "events of past voice sessions"
    }
    if segments.starts(with: ["api", "guilds"]), segments.last == "channels" {
      return "list of channels"
    }
    // Parts of a path may be ids, which say nothing to people.
    return "\(segments[1]) of this kind"
  }
}

/// Fixed-point text without a locale.
package enum Decimal4 {
  package static func roundedUp(_ value: Double) -> String {
    let scaled = Int((min(max(value, 0.0001), 1_000_000) * 10_000).rounded(.up))
    let fraction = String(scaled % 10_000)
    let padding = String(repeating: "0", count: 4 - fraction.count)
    return "\(scaled / 10_000).\(padding)\(fraction)"
  }
}
