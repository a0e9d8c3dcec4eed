import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitText

/// What `status` and the widgets say: figures, cuts, escapes.
@Suite struct GlanceTests {
  /// 2026-05-09 14:32:08 UTC.
  private static let nowMs: Int64 = 1_778_337_128_000
  private static let evil = "a#[fg=red]b#(touch x)#{pid} <b>&'\"\u{1B}]0;x\u{07}\u{202E}c"

  private func overview(_ change: (inout BotOverview) -> Void = { _ in }) -> BotOverview {
    var overview = BotOverview(
      health: .healthy, backend: "http://127.0.0.1:8787", takenAtMs: Self.nowMs)
    overview.activity = .init(actions: 38, failures: 2, isCapped: false)
    overview.costToday = 2.4712
    var session = BotOverview.Session(sessionID: "s1")
    session.channelID = "771044655390162944"
    session.channel = "voice-chat"
    session.people = 4
    session.attention = "ACTIVE"
    session.startedAtMs = Self.nowMs - 5_025_000
    session.lastReply = "Here's what I found."
    overview.sessions = [session]
    overview.rows = (0..<4).map { index in
      BotOverview.Row(
        atMs: Self.nowMs - Int64(index) * 1000,
        kind: ["llm_call", "sent_reply", "llm_error"][index % 3],
        label: ["LLM_CALL", "SENT_REPLY", "LLM_ERROR"][index % 3], text: "row \(index)",
        isFailure: index == 2)
    }
    change(&overview)
    return overview
  }

  private func text(
    _ overview: BotOverview, isStale: Bool = false, after ms: Int64 = 0,
    symbols: SymbolSet = .unicode
  ) -> GlanceText {
    GlanceText(
      overview, nowMs: Self.nowMs + ms, isStale: isStale,
      clock: ClockFormat(zone: TimeZone(secondsFromGMT: 0)!), symbols: symbols)
  }

  @Test("what is kept of a text is bounded in bytes: one letter may have a megabyte of marks")
  func bounded() throws {
    for long in [
      "e" + String(repeating: "\u{301}", count: 500_000), String(repeating: "😀", count: 500),
    ] {
      #expect(BotOverview.cut(long).utf8.count <= 4 * BotOverview.textLimit)
      let state = try JSONValue.parse(
        #"{"sessions":[{"sessionId":"s","recentTurns":[{"role":"assistant","kind":"speech","#
          + #""text":"\#(long)"}]}]}"#)
      var overview = overview()
      overview.read(try #require(VoiceState(state)), guild: nil, names: NameTable())
      let reply = try #require(overview.sessions?.first?.lastReply)
      #expect(long.unicodeScalars.starts(with: reply.unicodeScalars))
      #expect(reply.unicodeScalars.count == BotOverview.textLimit)
    }
    #expect(BotOverview.cut("short") == "short")
  }

  private func plain(_ text: GlanceText, _ size: GlanceText.Size, columns: Int? = nil) -> [String] {
    text.lines(size, columns: columns ?? size.columns).map(BarFormat.plain)
  }

  // MARK: status

  @Test("the line of status")
  func status() {
    #expect(
      text(overview()).statusLine.description
        == "healthy  actions 38 (1h)  errors 2 (1h)  cost $2.47 (UTC day)  voice #voice-chat 4 people 1h23m"
    )
    let quiet = overview {
      $0.sessions = []
      $0.activity?.isCapped = true
      $0.activity?.actions = 1000
    }
    #expect(text(quiet).statusLine.description.contains("actions 1,000+ (1h)  errors 2+ (1h)"))
    #expect(text(quiet).statusLine.description.hasSuffix("voice none"))
  }

  @Test("what nobody told is a dash, never 0")
  func unknown() {
    let nothing = BotOverview(health: .unreachable, backend: "x", takenAtMs: Self.nowMs)
    #expect(
      text(nothing).statusLine.description
        == "unreachable  actions - (1h)  errors - (1h)  cost - (UTC day)  voice -")
    #expect(plain(text(nothing), .small) == ["○ unreachable"])
    let odd = overview { $0.costToday = .nan }
    #expect(plain(text(odd), .small) == ["● 38 !2 -"])
  }

  // MARK: widgets

  @Test("the three sizes")
  func sizes() {
    #expect(plain(text(overview()), .small) == ["● 38 !2 $2.47"])
    #expect(plain(text(overview()), .medium) == ["● 38 !2 $2.47 #voice-chat 4p 1h23m llm …"])
    #expect(
      plain(text(overview()), .large) == [
        "● healthy  38 actions  2 errors (1h)  $2.47 UTC",
        "#voice-chat  4 people  ACTIVE  1h23m  \"Here's what I found.\"",
        "14:32:08 LLM_CALL row 0", "14:32:07 SENT_REPLY row 1", "14:32:06 LLM_ERROR row 2",
      ])
  }

  @Test("a stale one says how old it is, and its session does not grow")
  func stale() {
    let lost = overview { $0.health = .unreachable }
    let old = text(lost, isStale: true, after: 300_000)
    #expect(plain(old, .small) == ["○ 38 !2 $2.47 5m"])
    #expect(plain(old, .large)[0] == "○ stale  38 actions  2 errors (1h)  $2.47 UTC  5m ago")
    #expect(plain(old, .large)[1].contains("1h23m"))
    // A clock that went back.
    #expect(text(lost, isStale: true, after: -60_000).ageMs == 0)
  }

  @Test("no line is wider than was asked for", arguments: [1, 2, 3, 8, 12, 17, 40, 60, 200])
  func width(columns: Int) {
    let wide = overview {
      $0.sessions?[0].channel = "漢字漢字漢字"
      $0.rows[0].text = String(repeating: "界", count: 200)
      $0.activity = .init(actions: .max, failures: .max, isCapped: true)
    }
    for size in GlanceText.Size.allCases {
      for line in text(wide).lines(size, columns: columns) {
        #expect(line.reduce(0) { $0 + $1.text.columns } <= columns)
      }
    }
  }

  @Test("a large one has five lines at most")
  func lines() {
    #expect(text(overview()).lines(.large, columns: 60).count == 5)
  }

  @Test("ASCII glyphs where they are asked for")
  func ascii() {
    let line = plain(text(overview(), symbols: .ascii), .small)[0]
    #expect(line.allSatisfy { $0.isASCII }, "\(line)")
  }

  // MARK: formats

  private func hostile() -> GlanceText {
    text(
      overview {
        $0.sessions?[0].channel = Self.evil
        $0.sessions?[0].lastReply = Self.evil
        $0.rows[0].text = Self.evil
        $0.rows[0].label = Self.evil
      })
  }

  @Test("tmux: no style, variable or command of a stranger")
  func tmux() throws {
    for line in hostile().lines(.large, columns: 400) {
      let text = BarFormat.tmux(line, hasColor: true)
      // Without doubled signs and our own styles no sign is left.
      let rest = text.replacing("##", with: "")
        .replacing(/#\[(?:fg=green|fg=yellow|fg=red,bold|dim|default)\]/, with: "")
      #expect(!rest.contains("#"), "\(text)")
      #expect(!BarFormat.tmux(line, hasColor: false).replacing("##", with: "").contains("#"))
    }
  }

  @Test("waybar: valid JSON whose markup is ours")
  func waybar() throws {
    let bytes = BarFormat.waybar(hostile(), size: .medium, columns: 400)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    for key in ["text", "tooltip"] {
      let text = try #require(json[key] as? String)
      #expect(!text.contains("<") && !text.contains(">"), "\(text)")
      #expect(!text.replacing(/&(amp|lt|gt|quot|#39);/, with: "").contains("&"), "\(text)")
    }
    #expect(json["class"] as? [String] == ["healthy", "errors", "voice"])
    #expect(json["percentage"] as? Int == 100)
    #expect(bytes.allSatisfy { (0x20..<0x7F).contains($0) })
  }

  // MARK: the form that is kept

  @Test("an overview survives its own JSON")
  func roundTrip() throws {
    let before = overview {
      $0.detail = Self.evil
      $0.isReady = true
      $0.skewMs = -7000
      $0.guildCount = 3
      $0.newestRowMs = $0.rows.map(\.atMs).max()
    }
    #expect(BotOverview(json: before.json()) == before)
    #expect(before.json().allSatisfy { (0x20..<0x7F).contains($0) })
  }

  @Test(
    "what is no overview is none",
    arguments: ["", "{", "[]", "null", "{}", #"{"state":"fine","backend":"x","at":"2026-05-09"}"#])
  func noOverview(text: String) { #expect(BotOverview(json: Array(text.utf8)) == nil) }

  // MARK: reading

  @MainActor
  @Test("actions are counted once, failures by their kind and by their metadata")
  func actions() throws {
    let rows = [
      #"{"id":3,"created_at":"2026-05-09T14:32:00.000Z","kind":"llm_error","content":"boom"}"#,
      #"{"id":2,"created_at":"2026-05-09T14:31:00.000Z","kind":"browser_tool_result","metadata":{"isError":true}}"#,
      #"{"id":1,"created_at":"2026-05-09T14:30:00.000Z","kind":"sent_reply","content":"hi"}"#,
      #"{"id":1,"created_at":"2026-05-09T14:30:00.000Z","kind":"sent_reply","content":"hi"}"#,
    ]
    var overview = BotOverview(health: .healthy, backend: "x", takenAtMs: Self.nowMs)
    let body = Array("[\(rows.joined(separator: ","))]".utf8)
    let answer = try #require(AnsweredRows(body, nowMs: Self.nowMs))
    overview.read(hour: answer, limit: 5)
    overview.read(newestOf: answer.log, names: NoNames())
    #expect(overview.activity == .init(actions: 3, failures: 2, isCapped: false))
    #expect(overview.rows.map(\.kind) == ["llm_error", "browser_tool_result", "sent_reply"])
    overview.read(hour: answer, limit: 4)
    #expect(overview.activity?.isCapped == true)
    #expect(AnsweredRows(Array("{}".utf8), nowMs: Self.nowMs) == nil)
    #expect(AnsweredRows(Array(body.dropLast()), nowMs: Self.nowMs) == nil)
  }

  @Test("its cost of today is that of the UTC day")
  func stats() throws {
    let envelope = try #require(
      StatsEnvelope(
        try JSONValue.parse(
          #"{"stats":{"dailyCost":[{"day":"2026-05-09","usd":2.5},{"day":"2026-05-08","usd":9}]},"runtime":{"isReady":false}}"#
        )))
    var overview = BotOverview(health: .healthy, backend: "x", takenAtMs: Self.nowMs)
    overview.read(envelope, nowMs: Self.nowMs)
    #expect(overview.isReady == false && overview.costToday == 2.5)
    // The backend's midnight counts, not ours.
    overview.skewMs = 10 * 3_600_000
    overview.read(envelope, nowMs: Self.nowMs)
    #expect(overview.costToday == 0)
  }
}
