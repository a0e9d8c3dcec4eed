import ClankyWire
import Testing

@testable import CockpitStores

@Suite struct AlertRulesTests {
  @Test("everything is off unless it is turned on")
  func off() {
    #expect(AlertRules().isSilent)
    #expect(AlertRules(floors: [.notify: "off", .bell: "never"], classes: [:]).isSilent)
  }

  @Test(
    "a floor lets its level and what is above through",
    arguments: [
      ("on", Set(AlertClass.allCases)), ("info", Set(AlertClass.allCases)),
      ("warning", [.directAddress, .error, .alarm]), ("error", [.error, .alarm]), ("off", []),
    ] as [(String, Set<AlertClass>)])
  func floors(name: String, classes: Set<AlertClass>) {
    let rules = AlertRules(floors: [.notify: name, .bell: "off"], classes: [:])
    for kind in AlertClass.allCases {
      #expect(rules.channels(for: kind) == (classes.contains(kind) ? [.notify] : []), "\(kind)")
    }
  }

  @Test("a class wins over the floors")
  func classes() {
    let rules = AlertRules(
      floors: [.notify: "on", .flash: "error"],
      classes: ["error": ["bell"], "voice_start": ["off"], "voice_end": []])
    #expect(rules.channels(for: .error) == [.bell])
    #expect(rules.channels(for: .voiceStart).isEmpty && rules.channels(for: .voiceEnd).isEmpty)
    #expect(rules.channels(for: .automation) == [.notify])
  }
}

@Suite struct AlertPolicyTests {
  private func policy(_ floors: [AlertChannel: String]) -> AlertPolicy {
    AlertPolicy(rules: AlertRules(floors: floors, classes: [:]))
  }

  private func alert(_ kind: AlertClass, _ atMs: Int64, _ title: String = "t") -> Alert {
    Alert(kind: kind, atMs: atMs, title: title, detail: "d")
  }

  @Test("a notification comes only without focus; the bell always")
  func focus() {
    var policy = policy([.notify: "on", .bell: "on"])
    let seen = policy.decide([alert(.error, 0)], isFocused: true, nowMs: 0)
    #expect(seen.rings && seen.notification == nil)
    let unseen = policy.decide([alert(.error, 5000)], isFocused: false, nowMs: 5000)
    #expect(unseen.rings && unseen.notification?.title == "t" && unseen.notification?.held == 0)
  }

  @Test("at most one notification in its interval, and the next says how many were held back")
  func rate() {
    var policy = policy([.notify: "on"])
    var now: Int64 = 0
    var shown: [Int] = []
    for step in 0..<70 {
      now = Int64(step) * 1000
      let outcome = policy.decide([alert(.automation, now)], isFocused: false, nowMs: now)
      if let notification = outcome.notification { shown.append(notification.held) }
    }
    #expect(shown == [0, 29, 29])
    // A focused user has seen them.
    _ = policy.decide([], isFocused: true, nowMs: now)
    now += 30_000
    let next = policy.decide([alert(.error, now)], isFocused: false, nowMs: now)
    #expect(next.notification?.held == 0)
  }

  @Test("of several at once the worst is told, and of those the newest")
  func worst() {
    var policy = policy([.notify: "on"])
    let outcome = policy.decide(
      [
        alert(.error, 1, "old error"), alert(.error, 2, "new error"), alert(.voiceEnd, 3, "end"),
      ], isFocused: false, nowMs: 3)
    #expect(outcome.notification?.title == "new error" && outcome.notification?.held == 2)
  }

  @Test("bell and flash come once a second at most")
  func bells() {
    var policy = policy([.bell: "on", .flash: "error"])
    let first = policy.decide([alert(.voiceStart, 0)], isFocused: true, nowMs: 0)
    #expect(first.rings && !first.flashes)
    #expect(!policy.decide([alert(.error, 900)], isFocused: true, nowMs: 900).rings)
    let later = policy.decide([alert(.error, 1000)], isFocused: true, nowMs: 1000)
    #expect(later.rings && later.flashes)
  }

  @Test("what is older than a minute is history")
  func old() {
    var policy = policy([.notify: "on", .bell: "on"])
    let outcome = policy.decide([alert(.error, 0)], isFocused: false, nowMs: 60_001)
    #expect(outcome == AlertPolicy.Outcome())
  }
}

@MainActor
@Suite struct AlertWatchTests {
  private let names = NameTable(
    users: ["9": "Ada"], channels: ["7": "general"], guilds: [:])

  private func row(
    _ id: Int, _ kind: String, _ atMs: Int64 = startMs, content: String = "",
    metadata: String = "{}"
  ) -> Fact {
    Fact(
      id: id, timeMs: atMs, kind: kind, content: content, user: "9", channel: "7",
      metadata: metadata)
  }

  @Test("the first snapshot is history; what a stream tells afterwards is news")
  func baseline() throws {
    let log = ActionLog(memory: 4 << 20)
    var watch = AlertWatch()
    #expect(watch.news(in: log, names: names, isHeard: false, nowMs: startMs).isEmpty)
    log.rows([row(1, "bot_error", content: "boom")])
    #expect(watch.news(in: log, names: names, isHeard: true, nowMs: startMs).isEmpty)
    try log.live(row(2, "llm_error", startMs + 10, content: "529 overloaded").live)
    let news = watch.news(in: log, names: names, isHeard: true, nowMs: startMs + 20)
    #expect(news.map(\.kind) == [.error])
    #expect(news.first?.detail.contains("529 overloaded") == true)
    #expect(watch.news(in: log, names: names, isHeard: true, nowMs: startMs + 30).isEmpty)
  }

  @Test("rows that are fetched after an outage count from the program's start on")
  func repair() {
    let log = ActionLog(memory: 4 << 20)
    var watch = AlertWatch()
    var liveWatch = AlertWatch(takesStored: false)
    log.rows([row(5, "voice_runtime")])
    _ = watch.news(in: log, names: names, isHeard: true, nowMs: startMs)
    _ = liveWatch.news(in: log, names: names, isHeard: true, nowMs: startMs)
    log.rows([
      row(3, "bot_error", startMs - 5000), row(6, "voice_session_start", startMs + 5000),
      row(7, "automation_post", startMs + 6000, content: "Good morning"),
    ])
    let news = watch.news(in: log, names: names, isHeard: true, nowMs: startMs + 9000)
    #expect(Set(news.map(\.kind)) == [.voiceStart, .automation])
    #expect(news.contains { $0.detail == "#general: Good morning" })
    // Without filled-in rows there is no alert.
    #expect(liveWatch.news(in: log, names: names, isHeard: true, nowMs: startMs + 9000).isEmpty)
  }

  @Test("being spoken to: by the admission of a message or by a voice turn, each once")
  func directAddress() throws {
    let log = ActionLog(memory: 4 << 20)
    var watch = AlertWatch()
    log.rows([row(1, "voice_runtime")])
    _ = watch.news(in: log, names: names, isHeard: true, nowMs: startMs)
    let texts: [(String, String, String)] = [
      (
        "text_runtime", "reply_admission_decision",
        #"{"triggerMessageId":"m1","attentionReason":"direct_address"}"#
      ),
      (
        "text_runtime", "reply_admission_decision",
        #"{"triggerMessageId":"m1","addressSignal":{"direct":true}}"#
      ),
      (
        "text_runtime", "reply_admission_decision",
        #"{"triggerMessageId":"m2","attentionReason":"none"}"#
      ),
      (
        "text_runtime", "reply_pipeline_gate",
        #"{"triggerMessageId":"m3","attentionReason":"direct_address"}"#
      ),
      ("voice_runtime", "voice_turn_addressing", #"{"directAddressed":true,"heard":"hey you"}"#),
      ("voice_runtime", "voice_turn_addressing", #"{"directAddressed":false,"heard":"no"}"#),
    ]
    for (index, text) in texts.enumerated() {
      try log.live(
        row(0, text.0, startMs + Int64(index), content: text.1, metadata: text.2).live)
    }
    let news = watch.news(in: log, names: names, isHeard: true, nowMs: startMs + 100)
    #expect(news.map(\.kind) == [.directAddress, .directAddress])
    #expect(news.map(\.detail) == ["#general: Ada", "#general: Ada: hey you"])
  }

  @Test("a flood costs no more than its newest rows")
  func flood() {
    let log = ActionLog(memory: 16 << 20)
    var watch = AlertWatch()
    log.rows([row(1, "voice_runtime")])
    _ = watch.news(in: log, names: names, isHeard: true, nowMs: startMs)
    log.rows((2...5000).map { row($0, "bot_error", startMs + Int64($0)) })
    let news = watch.news(in: log, names: names, isHeard: true, nowMs: startMs + 9000)
    #expect(news.count == 2000)
  }
}
