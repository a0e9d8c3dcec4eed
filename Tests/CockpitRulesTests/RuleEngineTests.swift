import CockpitRules
import Testing

@Suite struct RuleEngineTests {
  private func drops(_ times: [Double]) -> [RuleEvent] {
    var tape = RuleTape()
    for at in times { tape.voice("voice_turn_dropped_silence_gate", at, #""peak":0.3"#) }
    return tape.events
  }

  @Test("a late row withdraws an incident, and the list says so") func withdrawal() {
    var tape = RuleTape()
    tape.voice("realtime_reply_requested", 0, #""requestId":7,"replyText":"It is noon.""#)
    var engine = RuleEngine()
    engine.take(tape.events)
    engine.advance(to: RuleTape.ms(20))
    #expect(engine.incidents.map(\.rule) == [.generatedNoOutput])
    var late = RuleTape()
    late.voice("bot_audio_started", 3)
    engine.take(late.events)
    #expect(engine.incidents.isEmpty)
    #expect(engine.withdrawn.map(\.rule) == [.generatedNoOutput])
  }

  @Test("a late row makes an incident") func lateFinding() {
    var engine = RuleEngine()
    let events = drops([0, 10, 20])
    engine.take([events[0], events[2]])
    engine.advance(to: RuleTape.ms(100))
    #expect(engine.incidents.isEmpty)
    engine.take(events[1])
    #expect(engine.incidents.map(\.rule) == [.silenceGateDrops])
    #expect(engine.incidents.first?.evidence.map(\.timeMs) == events.map(\.timeMs))
  }

  @Test("ids do not depend on when a row was seen, nor on its id or place here") func ids() {
    var first = RuleEngine()
    first.take(drops([0, 10, 20]))
    var events = drops([0, 10, 20])
    for index in events.indices {
      guard var row = events[index].row else { continue }
      row.cite.actionID = 900 + index
      row.cite.rowID = 4
      events[index] = RuleEvent(row)
    }
    var second = RuleEngine()
    second.take(events)
    #expect(first.incidents.map(\.id) == second.incidents.map(\.id))
    #expect(first.incidents.first?.id.count == 12)
  }

  @Test("two rules that find one message without an answer make one incident")
  func oneFault() {
    var tape = RuleTape()
    tape.row(
      "text_runtime", 0,
      #""triggerMessageId":"m1","allow":true,"addressSignal":{"direct":true}"#,
      content: "reply_admission_decision", user: "ada", message: "m1")
    tape.row(
      "llm_call", 5, #""messageId":"m1","source":"message_event","transcript":"It is noon.""#)
    func found(_ settings: RuleSettings) -> [Incident] {
      var engine = RuleEngine(settings)
      engine.take(tape.events)
      engine.advance(to: RuleTape.ms(600))
      return engine.incidents
    }
    let both = found(RuleSettings())
    #expect(both.map(\.rule) == [.replyMissing])
    #expect(both.first?.cause == "nothing on record: see the bot's own log at that time")
    #expect(both.first?.evidence.map(\.name) == ["reply_admission_decision", "llm_call"])
    // Where the first is off, the other tells of it.
    let one = found(RuleSettings([.replyMissing: .init(isOff: true)]))
    #expect(one.map(\.rule) == [.generatedNotSent])
  }

  @Test("what only the recorder lacks is told, and excuses no absence") func recorderOutage() {
    func found(_ isOfRecorder: Bool) -> [RuleID] {
      var tape = RuleTape()
      tape.row(
        "text_runtime", 0, #""triggerMessageId":"m1","allow":true"#,
        content: "reply_admission_decision", user: "ada", message: "m1")
      tape.row(
        "llm_call", 5, #""messageId":"m1","source":"message_event","transcript":"It is noon.""#)
      var engine = RuleEngine()
      engine.take(tape.events)
      for end in [60.0, 300] {
        engine.take(
          RuleEvent(
            timeMs: RuleTape.ms(3),
            body: .outage(fromMs: RuleTape.ms(3), toMs: RuleTape.ms(3 + end), rows: nil),
            isOfRecorder: isOfRecorder))
      }
      engine.advance(to: RuleTape.ms(600))
      let outage = engine.incidents.first { $0.rule == .notRecorded }
      #expect(outage?.toMs == RuleTape.ms(303))
      return engine.incidents.map(\.rule).sorted { $0.rawValue < $1.rawValue }
    }
    #expect(found(true) == [.generatedNotSent, .notRecorded])
    #expect(found(false) == [.notRecorded])
  }

  @Test("repeats within five minutes are one incident with a count") func repeats() {
    var engine = RuleEngine()
    engine.take(drops([0, 10, 20, 100, 110, 120]))
    #expect(engine.incidents.map(\.count) == [2])
    var apart = RuleEngine()
    apart.take(drops([0, 10, 20, 700, 710, 720]))
    #expect(apart.incidents.map(\.count) == [1, 1])
  }

  @Test("settings switch a rule off, change its level and its thresholds") func settings() {
    let events = drops([0, 10, 20])
    func levels(_ entry: RuleSettings.Entry) -> [RuleLevel] {
      var engine = RuleEngine(RuleSettings([.silenceGateDrops: entry]))
      engine.take(events)
      return engine.incidents.map(\.level)
    }
    #expect(levels(.init(isOff: true)).isEmpty)
    #expect(levels(.init(level: .critical)) == [.critical])
    #expect(levels(.init(values: ["count": 4])).isEmpty)
    #expect(levels(.init(values: ["within_ms": 15_000])).isEmpty)
  }

  @Test("anchors with the same rule, time and name have ids of their own, in any order of arrival")
  func sameMoment() {
    var tape = RuleTape()
    for (user, session) in [("ada", "s1"), ("ben", "s1"), ("ada", "s2")] {
      tape.voice("voice_activity_started", 0, user: user, in: session)
      tape.voice("voice_turn_finalized", 0.9, #""durationMs":900"#, user: user, in: session)
      tape.voice("voice_turn_skipped_empty_capture", 2, user: user, in: session)
    }
    func ids(_ events: [RuleEvent]) -> [String] {
      var engine = RuleEngine()
      engine.take(events)
      engine.advance(to: RuleTape.ms(60))
      return engine.incidents.filter { $0.rule == .emptyASR }
        .map { "\($0.id) \($0.sessionID ?? "") \($0.userID ?? "")" }.sorted()
    }
    let found = ids(tape.events)
    #expect(Set(found.map { $0.prefix(12) }).count == 3, "\(found)")
    #expect(ids(tape.events.reversed()) == found)
  }

  @Test("what nothing tells is unknown, what never came is idle") func judgements() {
    var engine = RuleEngine()
    var tape = RuleTape()
    tape.voice("realtime_tool_call_started", 0, #""callId":"a","toolName":"x""#)
    engine.take(tape.events)
    let judgements = Dictionary(
      uniqueKeysWithValues: engine.judgements.map { ($0.rule.id, $0.judgement) })
    #expect(judgements[.toolOwnership] == .unknown("nothing on this backend tells who owns tools"))
    #expect(judgements[.toolStalled] == .judged)
    #expect(judgements[.bargeInStorm] == .idle)
  }

  @Test("an event older than all that is kept is counted") func tooLate() {
    var engine = RuleEngine()
    engine.take(drops((0..<30_000).map { Double($0) * 100 }))
    #expect(engine.tooLate == 0)
    engine.take(drops([-5]))
    #expect(engine.tooLate == 1)
  }
}
