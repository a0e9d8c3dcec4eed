import Foundation
import Testing

@testable import CockpitDemo

/// Compares key names and key order with recorded traffic, where that is available.
@Suite(.enabled(if: Captures.folder != nil)) struct ConformanceTests {
  @Test func voiceSessionKeys() async throws {
    let recorded = try Captures.json("rest/GET_api_voice_state.json")
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      await server.advance(clock, seconds: 58)
      let state = try await client.get("/api/voice/state").json
      let theirs = try #require(recorded["sessions"]?.arrayValue?.first)
      let ours = try #require(state["sessions"]?.arrayValue?.first)
      #expect(Captures.differences(theirs, ours, at: "session") == [])
    }
  }

  @Test func keysOfTheOtherSessions() async throws {
    let recorded = try Captures.json("rest/GET_api_voice_state.json")["sessions"]?.arrayValue
    let options = DemoOptions(scenario: .voice, token: "secret")
    try await withServer(options) { server, client, clock in
      await server.advance(clock, seconds: 50)
      await server.inject(.secondSession)
      let ours = try await client.get("/api/voice/state").json["sessions"]?.arrayValue
      for index in 1...2 {
        let theirs = try #require(recorded?[index])
        let mine = try #require(ours?[index])
        #expect(Captures.differences(theirs, mine, at: "session\(index)") == [])
      }
    }
  }

  @Test(arguments: [
    ("GET_api_stats.json", "/api/stats"), ("GET_api_public-https.json", "/api/public-https"),
    ("GET_api_memory_facts__guildId.json", "/api/memory/facts?guildId=G"),
    ("GET_api_memory_subjects__guildId.json", "/api/memory/subjects?guildId=G"),
    ("GET_api_memory_search.json", "/api/memory/search?q=saddle&guildId=G&limit=6"),
    ("GET_api_memory_fact-profile.json", "/api/memory/fact-profile?guildId=G&userId=U"),
    ("GET_api_automations__guildId.json", "/api/automations?guildId=G"),
    ("GET_api_automations_runs.json", "/api/automations/runs?guildId=G&automationId=1"),
    ("GET_api_guilds.json", "/api/guilds"),
    ("GET_api_voice_history_sessions.json", "/api/voice/history/sessions"),
    ("GET_api_voice_asr-sessions.json", "/api/voice/asr-sessions"),
    ("GET_api_voice_tool-events.json", "/api/voice/tool-events"),
    ("GET_api_mcp_status.json", "/api/mcp/status"),
    ("GET_api_memory_fact-profile__no-guild.json", "/api/memory/fact-profile"),
    ("AUTH_session_with-token.json", "/api/auth/session"),
  ])
  func bodies(file: String, path: String) async throws {
    let theirs = try Captures.json("rest/" + file).removing([])
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      await server.advance(clock, seconds: 58)
      let path = path.replacing("=G", with: "=" + Cast.ridge.id)
        .replacing("=U", with: "=" + Cast.nadia.id)
      let ours = try await client.get(path).json
      #expect(Captures.differences(theirs, ours, at: "body") == [])
    }
  }

  @Test func liveActionKeys() async throws {
    let recorded = try Captures.liveActions()
    try await withServer(DemoOptions(token: "secret")) { server, client, clock in
      let stream = try await client.stream("/api/activity/events")
      _ = try await stream.next()
      await server.advance(clock, seconds: 60)
      let newest = try await client.get("/api/actions?limit=1").json.arrayValue?.first
      var compared = 0
      while true {
        let event = try await stream.next()
        guard event.name == "action_event" else { continue }
        let ours = try event.json
        if let examples = recorded[Captures.name(ours)] {
          compared += 1
          let best = examples.map { Captures.differences($0, ours, at: Captures.name(ours)) }
            .min { $0.count < $1.count }
          #expect(best == [])
        }
        if ours["createdAt"] == newest?["created_at"], ours["kind"] == newest?["kind"] { break }
      }
      #expect(compared > 80)
      stream.close()
    }
  }
}

enum Captures {
  static let folder: URL? = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<8 {
      folder.deleteLastPathComponent()
      let candidate = folder.appending(path: "shared/wire/captures")
      if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
    }
    return nil
  }()

  static func json(_ file: String) throws -> DemoJSON {
    let url = try #require(folder).appending(path: file)
    return try DemoJSON.parse(Data(contentsOf: url))
  }

  static func name(_ action: DemoJSON) -> String {
    let kind = action.field("kind")
    guard ["voice_runtime", "text_runtime"].contains(kind) else { return kind }
    return kind + ":" + action.field("content")
  }

  static func liveActions() throws -> [String: [DemoJSON]] {
    let bytes = try Data(contentsOf: try #require(folder).appending(path: "activity.sse"))
    var result: [String: [DemoJSON]] = [:]
    var isAction = false
    for line in bytes.split(separator: 10) {
      if line.starts(with: Data("event: ".utf8)) {
        isAction = line.elementsEqual(Data("event: action_event".utf8))
      } else if isAction {
        let json = try DemoJSON.parse(line.dropFirst(6))
        result[name(json), default: []].append(json)
      }
    }
    return result
  }

  /// Objects whose keys depend on the situation, not on the protocol.
  static let free: Set<String> = [
    "toolInput", "arguments", "toolResultSummary", "outputSummary", "rawContentSummary", "input",
    "payload", "properties", "details", "lastOutboundEvent", "recentOutboundEvents", "schedule",
    "usdCost", "last24h", "parameters",
  ]

  static func differences(_ theirs: DemoJSON, _ ours: DemoJSON, at path: String) -> [String] {
    switch (theirs, ours) {
    case (.object(let left), .object(let right)):
      let skip: (DemoJSON.Object) -> [String] = { object in
        object.members.map(\.key).filter { $0 != "usdCost" }
      }
      var found: [String] = []
      if skip(left) != skip(right) {
        found.append("\(path): \(skip(left)) is not \(skip(right))")
      }
      for member in left.members where !free.contains(member.key) {
        if let value = right[member.key] {
          found += differences(member.value, value, at: path + "." + member.key)
        }
      }
      return found
    case (.array(let left), .array(let right)):
      guard let first = left.first, let other = right.first else { return [] }
      return differences(first, other, at: path + "[]")
    default:
      return []
    }
  }
}
