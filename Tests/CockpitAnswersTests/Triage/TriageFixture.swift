import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitStores
import LenientJSON

/// The least that shows a rule: rows and states, each of which is needed.
struct TriageFixture: Sendable {
  /// A row so many seconds after the beginning.
  struct Row: Sendable {
    var second: Int64
    var kind: String
    var content: String
    var metadata = "null"
  }

  /// What the states say from a second on.
  struct State: Sendable {
    var second: Int64
    var change: @Sendable (inout TriageInput, _ atMs: Int64) -> Void
  }

  var rule: String
  var rows: [Row] = []
  var states: [State] = []
  /// When it is judged, in seconds after the beginning.
  var second: Int64
  var sentence: String
  /// What `[triage]` says.
  var settings = TriageSettings()

  static let startMs: Int64 = 1_778_349_600_000

  /// The report at the end. What one state says replaces what the one before it said.
  @MainActor func report(
    settings: TriageSettings? = nil, dropping: Int? = nil, until last: Int64? = nil
  ) -> TriageReport {
    var board = TriageBoard(settings: settings ?? self.settings)
    let store = ActivityStore(memory: 4 << 20)
    let end = last ?? second
    var pending = rows.enumerated().filter { $0.offset != dropping }.map(\.element)
    for second in 0...end {
      let nowMs = Self.startMs + second * 1000
      for (index, row) in pending.enumerated() where row.second == second {
        let json = """
          [{"id":\(index + 1 + Int(second) * 100),"created_at":"\(WireTime(milliseconds: nowMs).iso)",\
          "kind":"\(row.kind)","content":"\(row.content)","metadata":\(row.metadata)}]
          """
        Array(json.utf8).withUnsafeBytes { _ = store.applyRows($0, nowMs: nowMs) }
      }
      pending.removeAll { $0.second < second }
      var input = TriageInput(nowMs: nowMs)
      input.budgetUSD = (settings ?? self.settings).budgetUSD
      for state in states where state.second <= second { state.change(&input, nowMs) }
      // Judged every second where something changes by itself, seldom elsewhere.
      guard second == end || !states.isEmpty || pending.first?.second == second else { continue }
      board.judge(input, rows: store.log)
    }
    return board.report
  }

  /// The same, one row for each second that is named.
  static func rows(
    _ seconds: [Int64], _ kind: String, _ content: String, _ metadata: String = "null"
  )
    -> [Row]
  { seconds.map { Row(second: $0, kind: kind, content: content, metadata: metadata) } }

  /// A state of the process from a second on.
  static func runtime(_ second: Int64, _ runtime: Runtime) -> State {
    State(second: second) { $0.runtime = .init(runtime, atMs: $1) }
  }

  /// A voice state from a second on: the JSON of its only session.
  static func voice(_ second: Int64, _ session: String) -> State {
    State(second: second) { input, ms in
      let json = try? JSONValue.parse("{\"sessions\":[{\"sessionId\":\"s\",\(session)}]}")
      input.voice = json.flatMap(VoiceState.init).map { .init($0, atMs: ms) }
    }
  }
}
