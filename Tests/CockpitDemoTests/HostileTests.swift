import Testing

@testable import CockpitDemo

/// Everything a hostile user, or a future release, could send (contract 9.2 and 9.5).
@Suite struct HostileTests {
  /// Paths whose value was given another kind, and the texts seen.
  private struct Seen {
    var changed: Set<String> = []
    var all: Set<String> = []

    mutating func compare(_ clean: DemoJSON, _ spoilt: DemoJSON, at path: String) {
      switch (clean, spoilt) {
      case (.object(let left), .object(let right)):
        for member in left.members {
          let inner = path + "." + member.key
          all.insert(inner)
          if let value = right[member.key] { compare(member.value, value, at: inner) }
        }
      case (.array(let left), .array(let right)) where left.count == right.count:
        for (one, other) in zip(left, right) { compare(one, other, at: path + "[]") }
      case (.string(let one), .string(let other)):
        if one != other { changed.insert(path) }
      case (.string, .units): changed.insert(path)
      default:
        if clean != spoilt { changed.insert(path) }
      }
    }
  }

  /// One element of every list is enough to know its fields.
  private static func trimmed(_ json: DemoJSON) -> DemoJSON {
    switch json {
    case .object(let object):
      .object(.init(object.members.map { .init(key: $0.key, value: trimmed($0.value)) }))
    case .array(let values): .array(values.prefix(1).map(trimmed))
    case .string(let text): .string(String(text.prefix(60)))
    default: json
    }
  }

  @Test func everyFieldOfASessionIsHostileOnce() async throws {
    let options = DemoOptions(scenario: .voice, token: "secret", history: 0)
    try await withServer(options) { server, client, clock in
      await server.advance(clock, seconds: 50)
      let state = try await client.get("/api/voice/state").json
      let session = Self.trimmed(try #require(state["sessions"]?.arrayValue?.first))
      var taint = Taint(pause: 1, breaks: 20)
      var seen = Seen()
      for _ in 0..<60 { seen.compare(session, taint.spoil(session, of: "s"), at: "") }
      let spared = [".mode", ".id", ".type", ".kind", ".createdAt", ".created_at", ".ok"]
      let missed = seen.all.subtracting(seen.changed).filter { path in
        !spared.contains { path.hasSuffix($0) }
      }
      // A container counts through what it holds.
      let bare = missed.filter { path in
        !seen.changed.contains { $0.hasPrefix(path + ".") || $0.hasPrefix(path + "[]") }
      }
      #expect(bare == [])
      #expect(seen.changed.count > 250)
    }
  }

  @Test func everyPayloadIsHostile() async throws {
    let options = DemoOptions(rate: 2, scenario: .hostile, token: "secret", history: 30)
    try await withServer(options) { server, client, clock in
      await server.advance(clock, seconds: 40)
      let guild = Cast.ridge.id
      for path in [
        "/api/guilds", "/api/guilds/\(guild)/channels", "/api/voice/state", "/api/stats",
        "/api/memory/facts?guildId=\(guild)", "/api/memory?guildId=\(guild)",
        "/api/automations?guildId=\(guild)", "/api/mcp/status", "/api/voice/tool-events",
        "/api/memory/fact-profile?guildId=\(guild)", "/api/settings", "/api/actions?limit=500",
        "/api/voice/asr-sessions",
      ] {
        var text = ""
        let marks = [#"\u001b"#, "\u{202E}", #"\ud83d""#]
        // Small payloads hold few texts; the kinds of hostility take turns.
        for _ in 0..<14 where !marks.allSatisfy({ text.contains($0) }) {
          let reply = try await client.get(path)
          #expect(reply.status == 200)
          _ = try reply.json
          text += reply.text
        }
        for mark in marks { #expect(text.contains(mark), "\(path)") }
      }
      for kind in ["a_kind_from_the_future", "🤖\u{202E}kind", "__proto__"] {
        #expect(await server.kinds().contains(kind))
      }
    }
  }

  /// However odd a row is, its live and its stored shape are the same fact (contract 4.2).
  @Test func twinsStayTwins() async throws {
    let options = DemoOptions(rate: 4, scenario: .hostile, token: "secret", history: 0)
    try await withServer(options) { server, client, clock in
      let stream = try await client.stream("/api/activity/events")
      _ = try await stream.next()
      await server.advance(clock, seconds: 12)
      let stored = try await client.get("/api/actions?limit=1000").json.arrayValue ?? []
      var metadata: [String: Int] = [:]
      for row in stored {
        metadata[
          row.field("created_at") + row.field("kind") + (row["metadata"] ?? .null).text,
          default: 0] += 1
      }
      for _ in 0..<60 {
        let event = try await stream.next()
        guard event.name == "action_event" else { continue }
        let live = try event.json
        let key = live.field("createdAt") + live.field("kind")
        #expect(metadata[key + (live["metadata"] ?? .null).text, default: 0] > 0)
      }
      #expect(stored.contains { ($0["metadata"]?.text.utf8.count ?? 0) > 60_000 })
      stream.close()
    }
  }
}
