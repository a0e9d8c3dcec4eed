import CockpitRules
import LenientJSON

@testable import CockpitDemo

/// A night of the demo in which answers and runs are missing that really came.
struct AbsencePlants {
  /// Something that is missing, and what must be said of it.
  struct Plant {
    var rule: RuleID
    /// What the incident's `missing`, session or sentence names.
    var name: String
    var deadlineMs: Int64
    var cause: String
  }

  var events: [RuleEvent]
  private(set) var plants: [Plant] = []
  private var random: DemoRandom
  /// Messages that were used.
  private var used: Set<String> = []

  init(seed: UInt64) {
    let tape = DemoTape(.night, seed: seed)
    tape.takePast()
    events = tape.events
    random = DemoRandom(seed: seed ^ 0xAB5E)
  }

  private func rows(of message: String) -> [RuleRow] {
    events.compactMap(\.row).filter {
      $0.triggers.contains(message) || $0.string("messageId") == message
    }
  }

  /// A direct message that was answered, of those not used yet.
  private mutating func answered() -> (id: String, rows: [RuleRow])? {
    let admissions = events.compactMap(\.row).filter {
      $0.name == "reply_admission_decision" && $0.bool("allow") == true
        && $0.metadata["addressSignal"]?["direct"]?.bool == true
    }
    for admission in admissions.shuffled(using: &random) {
      guard let id = admission.triggers.first, !used.contains(id) else { continue }
      let rows = rows(of: id)
      guard rows.contains(where: { $0.name == "sent_reply" }),
        rows.filter({ $0.name == "llm_call" }).count == 1
      else { continue }
      used.insert(id)
      return (id, rows)
    }
    return nil
  }

  private mutating func remove(_ isMeant: (RuleRow) -> Bool) {
    events.removeAll { $0.row.map(isMeant) ?? false }
  }
  private mutating func insert(_ event: RuleEvent?) {
    guard let event else { return }
    events.append(event)
    events.sort(by: RuleEvent.precedes)
  }

  /// The answer is generated, and not sent; with an error of sending or without.
  mutating func unsent(error: String? = nil) {
    guard let (id, rows) = answered(), let call = rows.last(where: { $0.name == "llm_call" }) else {
      return
    }
    remove { $0.name == "sent_reply" && $0.triggers.contains(id) }
    if let error {
      insert(
        DemoTape.event(
          "bot_error", atMs: call.timeMs + 400, content: error,
          metadata: #"{"source":"message_event"}"#))
    }
    plants.append(
      Plant(
        rule: .generatedNotSent, name: id, deadlineMs: call.timeMs + 120_000,
        cause: error ?? "nothing on record"))
  }

  /// The message is admitted, and nothing more comes of it; or the model fails.
  mutating func dropped(modelFails: Bool = false) {
    guard let (id, rows) = answered(), let first = rows.first,
      let call = rows.last(where: { $0.name == "llm_call" })
    else { return }
    remove { row in
      guard row.triggers.contains(id) || row.string("messageId") == id else { return false }
      return modelFails
        ? row.name == "llm_call" || row.name == "sent_reply"
        : row.name != "reply_admission_decision"
    }
    if modelFails {
      insert(
        DemoTape.event(
          "llm_error", atMs: call.timeMs, content: "529 Overloaded",
          metadata: #"{"status":529,"errorType":"overloaded_error"}"#, channel: first.channelID,
          user: first.userID))
    }
    plants.append(
      Plant(
        rule: modelFails ? .ignoredThread : .replyMissing, name: id,
        deadlineMs: first.timeMs + 60_000,
        cause: modelFails ? "the model call failed" : "no further than its admission"))
  }

  /// Somebody answers a message of the bot, and it does not react.
  mutating func thread(refusedWithoutReason: Bool) {
    let replies = events.compactMap(\.row).filter { $0.name == "sent_reply" && $0.messageID != nil }
    guard let reply = replies.shuffled(using: &random).first, let of = reply.messageID else {
      return
    }
    let id = "77\(reply.timeMs)"
    let at = reply.timeMs + 20_000
    let how = refusedWithoutReason ? #""allow":false"# : #""allow":true,"reason":"ambient_allowed""#
    insert(
      DemoTape.event(
        "text_runtime", atMs: at, content: "reply_admission_decision",
        metadata: #"{"triggerMessageId":"\#(id)",\#(how),"triggerReferenceMessageId":"\#(of)"}"#,
        channel: reply.channelID, user: "4711", message: id))
    plants.append(
      Plant(
        rule: .ignoredThread, name: id, deadlineMs: at + 60_000,
        cause: "no further than its admission"))
  }

  /// An automation ran, and its next run does not come.
  mutating func automation(_ number: Int, isRestarted: Bool) {
    guard let first = events.first?.timeMs else { return }
    let ran = first + Int64(random.int(30...500)) * 60_000
    let due = ran + 1_800_000
    insert(
      DemoTape.event(
        "automation_run", atMs: ran, content: "automation #\(number): posted",
        metadata:
          #"{"automationId":\#(number),"runStatus":"ok","statusAfterRun":"active","nextRunAt":""#
          + DemoTime.iso(due) + #""}"#, channel: "1"))
    if isRestarted {
      insert(
        DemoTape.event(
          "bot_lifecycle", atMs: due + 15_000, content: "bot_logged_in", metadata: "{}"))
    }
    plants.append(
      Plant(
        rule: .automationMissed, name: "#\(number) ", deadlineMs: due + 120_000,
        cause: isRestarted ? "restarted" : "did not start it"))
  }

  /// Captures are promoted in a session, and all else of it is missing.
  mutating func deaf(isRecognised: Bool, at minute: Int64) {
    guard let first = events.first?.timeMs else { return }
    let at = first + minute * 60_000
    let session = "deaf \(minute)"
    for capture in 0..<4 {
      let ms = at + Int64(capture) * 12_000
      insert(
        DemoTape.event(
          "voice_turn_in", atMs: ms, content: "voice_activity_started",
          metadata: #"{"sessionId":"\#(session)"}"#, user: "4711"))
      guard isRecognised else { continue }
      insert(
        DemoTape.event(
          "voice_runtime", atMs: ms + 3000, content: "openai_realtime_asr_final_segment",
          metadata: #"{"sessionId":"\#(session)","transcript":"hello?"}"#, user: "4711"))
    }
    // The third capture is enough; the fourth came within its 20 s.
    plants.append(
      Plant(
        rule: .speechWithoutTurns, name: session, deadlineMs: at + 56_000,
        cause: isRecognised ? "the words were recognised" : "nothing came from the recogniser"))
  }
}
