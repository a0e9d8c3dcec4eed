import ClankyWire
import Foundation
import LenientJSON
import Testing

@Suite("Every recorded answer is read whole", .enabled(if: Recordings.areThere))
struct RestCoverageTests {
  /// Which type reads which recordings, by the beginning of their name; the longest one counts.
  private static let readers: [String: @Sendable (JSONValue) -> Any?] = [
    "AUTH_good-token": HealthReply.init, "AUTH_missing": Self.error, "AUTH_wrong": Self.error,
    "AUTH_session": AuthSession.init, "BADBODY": Self.error, "NOTFOUND": Self.error,
    "FACT_delete_again": Self.error, "FACT_delete_no": Self.error,
    "FACT_delete_ok": DeleteReply.init, "FACT_duplicate": Self.error,
    "FACT_edit_1": FactReply.init, "FACT_edit_2": FactPage.init, "FACT_edit_3": FactReply.init,
    "FACT_not": Self.error, "FACT_validation": Self.error, "FACT_wrong": Self.error,
    "GET_api_agents": BrowserSessionPage.init, "GET_api_automations": AutomationPage.init,
    "GET_api_automations__no-guild": Self.error,
    "GET_api_automations_runs": AutomationRunPage.init,
    "GET_api_automations_runs__no-guild": Self.error, "GET_api_guilds": WireList<Guild>.init,
    "GET_api_guilds_": WireList<Channel>.init, "GET_api_health": HealthReply.init,
    "GET_api_mcp": McpStatus.init, "GET_api_memory__": MemoryMarkdown.init,
    "GET_api_memory_fact-profile": FactProfile.init, "GET_api_memory_facts": FactPage.init,
    "GET_api_memory_reflections": ReflectionPage.init, "GET_api_memory_search": SearchResult.init,
    "GET_api_memory_subjects": SubjectPage.init, "GET_api_public": PublicHttps.init,
    "GET_api_stats": StatsEnvelope.init, "GET_api_voice_asr": AsrSessionList.init,
    "GET_api_voice_history": WireList<HistorySession>.init, "GET_api_voice_state": VoiceState.init,
    "GET_api_voice_tool": ToolEventList.init, "POST_api_memory": RuntimeSnapshot.init,
    "POST_api_memory_runtime-snapshot__no-guild": Self.error,
    "POST_api_voice_join": JoinResult.init,
  ]

  /// Bodies that are arrays of actions, which have types and tests of their own.
  private static func holdsActions(_ name: String) -> Bool {
    name.hasPrefix("GET_api_actions") || name.hasPrefix("ACTIONS_")
      || name.hasSuffix("_events") && name.contains("history")
  }

  /// Answers of routes and of writes that the program does not use: settings, models, and the purge of a guild's
  /// memory or of a reflection run.
  private static let unused = [
    "GET_api_llm_models", "GET_api_settings", "MEMORY_purge", "MEMORY_reflections", "SETTINGS_",
  ]

  private static func error(_ json: JSONValue) -> Any? {
    let body = ErrorBody(json)
    return body.message == nil ? nil : body
  }

  @Test("no key and no value is dropped", arguments: try Recordings.restNames())
  func answer(name: String) throws {
    // The recordings of March have the names of those of May behind a prefix.
    let route = name.hasPrefix("MARCH_") ? String(name.dropFirst(6)) : name
    if Self.holdsActions(route) || Self.unused.contains(where: route.hasPrefix) { return }
    let json = try Recordings.rest(name)
    let prefix = Self.readers.keys.filter(route.hasPrefix).max { $0.count < $1.count }
    let read = try #require(prefix.flatMap { Self.readers[$0] }, "no type for \(name)")
    let value = try #require(read(json))
    if let error = value as? ErrorBody {
      #expect(json["error"] == .string(error.message ?? ""))
      #expect(error.dialect == (json["ok"] == nil ? .error : .okError))
      return
    }
    let children = Mirror(reflecting: value).children
    #expect(children.first { $0.label == "omitted" }.map { $0.value as? Int == 0 } ?? true)
    var walker = CoverageWalker()
    if case .array = json {
      let rows = children.first { $0.label == "rows" }
      walker.compare(json, with: try #require(rows).value)
    } else {
      walker.compare(json, with: value)
    }
    #expect(walker.lost.isEmpty, "\(walker.lost)")
  }

  @Test("there are recordings of every type")
  func everyReaderIsUsed() throws {
    let names = try Recordings.restNames()
    #expect(names.count > 60)
    for prefix in Self.readers.keys {
      #expect(names.contains { $0.hasPrefix(prefix) }, "nothing begins with \(prefix)")
    }
  }

  @Test("the plain text of an unknown path is kept")
  func plainText() throws {
    let body = ErrorBody(
      body: try Recordings.bytes("captures/rest/NOTFOUND_GET_api_no-such-endpoint.txt"),
      contentType: "text/plain; charset=UTF-8")
    #expect(body == ErrorBody(dialect: .plainText, message: "Not found."))
  }
}
