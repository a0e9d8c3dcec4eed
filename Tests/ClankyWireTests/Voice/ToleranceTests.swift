import ClankyWire
import LenientJSON
import Testing

@Suite("One odd field costs itself")
struct ToleranceTests {
  /// Branches without a documented shape, which are kept as they come, whatever that is.
  private static let freeForm: Set<String> = [
    "decider", "interruptedAssistantReply", "compactedSessionSummary", "nativeDiscordSharers",
    "parameters", "details", "arguments", "outputSummary", "payload",
  ]

  private static func isFreeForm(_ path: [JSONStep]) -> Bool {
    path.contains {
      if case .key(let key) = $0 { freeForm.contains(key) } else { false }
    }
  }

  /// A value of a wrong type must act like null, and null must cost only its own field: then a
  /// wrong type costs only its own field.
  @Test("any one value of a session, of any wrong type, changes only itself")
  func session() throws {
    let json = try FullSession.json()
    let paths = json.paths.filter { !Self.isFreeForm($0) }
    #expect(paths.count > 600)
    for path in paths {
      let original = try #require(json.at(path))
      let missing = json.replacing(path, with: .null)
      let withoutIt = try #require(VoiceSession(missing))
      var walker = CoverageWalker()
      walker.compare(missing, with: withoutIt)
      #expect(walker.lost.isEmpty, "null at \(path) also cost \(walker.lost)")
      for wrong in original.wrongTypes {
        // Rows write this one as 0 or 1, views as a truth value; both are right.
        if path.last == .key("is_bot"), wrong == .bool(true) { continue }
        let session = try #require(VoiceSession(json.replacing(path, with: wrong)))
        #expect(session == withoutIt, "\(wrong) at \(path)")
      }
    }
  }

  @Test("free-form branches are kept whatever they are")
  func freeFormBranches() throws {
    let json = try FullSession.json()
    let paths = json.paths.filter {
      guard case .key(let key)? = $0.last else { return false }
      return Self.freeForm.contains(key) && key != "nativeDiscordSharers"
    }
    #expect(paths.count > 10)
    for path in paths {
      for odd in [JSONValue.bool(true), .string("x"), .array([.null]), .number(.init(text: "NaN"))]
      {
        let changed = json.replacing(path, with: odd)
        var walker = CoverageWalker()
        walker.compare(changed, with: try #require(VoiceSession(changed)))
        #expect(walker.lost.isEmpty, "\(odd) at \(path): \(walker.lost)")
      }
    }
  }

  @Test("every member may be missing: an empty session is a session")
  func emptyObjects() throws {
    #expect(VoiceSession(.object(JSONObject())) == VoiceSession())
    #expect(VoiceState(.object(JSONObject())) == VoiceState())
    #expect(StatsEnvelope(.object(JSONObject())) == StatsEnvelope())
    #expect(FactProfile(.object(JSONObject())) == FactProfile())
    #expect(RuntimeSnapshot(.object(JSONObject())) == RuntimeSnapshot())
    #expect(ReflectionRun(.object(JSONObject())) == ReflectionRun())
    #expect(Automation(.object(JSONObject())) == Automation())
  }

  @Test("what is no object is no row", arguments: ["null", "1", "\"x\"", "[]", "true", "NaN"])
  func noRow(text: String) throws {
    let json = try JSONValue.parse(text)
    #expect(VoiceSession(json) == nil)
    #expect(VoiceState(json) == nil)
    #expect(StatsEnvelope(json) == nil)
    #expect(Fact(json) == nil)
  }

  @Test("a bad row is left out and counted")
  func badRows() throws {
    let json = try JSONValue.parse(
      #"{"activeCount": 2, "sessions": [{"sessionId": "a"}, null, 7, {"sessionId": "b"}, [{}]]}"#)
    let state = try #require(VoiceState(json))
    #expect(state.sessions.map(\.sessionID) == ["a", "b"])
    #expect(state.omitted == 3)
    let guilds = try #require(WireList<Guild>(try .parse(#"[{"id": "1"}, "2"]"#)))
    #expect(guilds == WireList(rows: [Guild(id: "1")], omitted: 1))
  }
}
