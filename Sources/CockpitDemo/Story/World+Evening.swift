/// A past for counting: 14 days, and a last evening with the hard cases. Rows are light and
/// generated without the story, so that tens of thousands of them take a second or two.
extension World {
  /// Rows up to a minute before the start; the same for the same seed and start.
  func seedEvening() {
    var past = EveningScript(startMs: startMs, seed: options.seed)
    let rows = past.write()
    stats = StatsTotals()
    for row in rows { stats.add(kind: row.kind, ms: row.createdMs, cost: row.cost, timings: nil) }
    // At once, as the retention of the backend would have left it.
    save(Array(rows.suffix(options.maxRows)))
    lastBotMessageMs = rows.last { $0.kind == "sent_reply" }?.createdMs
  }
}

/// Writes the rows of `World.seedEvening`.
struct EveningScript {
  let startMs: Int64
  private var random: DemoRandom
  private var rows: [ActionRow] = []
  private var sessions = 0

  init(startMs: Int64, seed: UInt64) {
    self.startMs = startMs
    random = DemoRandom(seed: seed ^ 0x6576_656E)
  }

  mutating func write() -> [ActionRow] {
    let minute: Int64 = 60_000
    let hour = 60 * minute
    // Older days are thin, so that the last one has most of the rows.
    for day in 1..<14 {
      for _ in 0..<random.int(60...140) {
        text(startMs - Int64(day) * DemoTime.day - within(18 * hour))
      }
      session(startMs - Int64(day) * DemoTime.day - 3 * hour, minutes: random.int(5...15))
    }
    for _ in 0..<600 { text(startMs - minute - within(22 * hour)) }
    // The evening: sessions with quiet hours between them, the last one shortly before now.
    for hoursAgo in [20, 9, 5, 3, 1] {
      session(startMs - Int64(hoursAgo) * hour - within(20 * minute), minutes: random.int(12...40))
    }
    // A talk in which only the recogniser writes: more rows than one answer holds.
    burst(startMs - 3 * hour, count: 1300)
    burst(startMs - 25 * minute, count: 1100)
    errors(startMs - 4 * hour, count: 26)
    errors(startMs - 12 * minute, count: 14)
    for _ in 0..<40 { errors(startMs - minute - within(23 * hour), count: 1) }
    // The backend numbers its rows as it writes them.
    return rows.sorted { $0.createdMs < $1.createdMs }
  }

  private mutating func within(_ spanMs: Int64) -> Int64 { Int64(random.int(0...Int(spanMs))) }

  private mutating func add(
    _ ms: Int64, _ kind: String, _ content: String, _ place: Place, _ user: Person? = nil,
    metadata: String? = nil, cost: Double = 0
  ) {
    rows.append(
      ActionRow(
        createdMs: ms, guild: place.guild, channel: place.channel, message: nil, user: user?.id,
        kind: kind, content: DemoJSON.string(content).text, metadata: metadata, cost: cost))
  }

  private mutating func place() -> (place: Place, guild: Guild) {
    let guild = Cast.guilds[random.int(0...Cast.guilds.count - 1)]
    return (Place(guild, "general"), guild)
  }

  private mutating func person() -> Person { Cast.people[random.int(0...Cast.people.count - 1)] }

  private mutating func modelCall(_ ms: Int64, _ place: Place, _ user: Person, source: String) {
    let input = random.int(800...9000)
    let isSmall = random.int(0...3) == 0
    add(
      ms, "llm_call", isSmall ? "openai:gpt-5.4-mini" : "claude-oauth:claude-opus-4-6", place, user,
      metadata:
        #"{"source":"\#(source)","usage":{"inputTokens":\#(input),"outputTokens":\#(input / 20)}}"#,
      cost: Double(input) * (isSmall ? 1e-6 : 8e-6))
  }

  /// A message, and the bot's handling of it.
  private mutating func text(_ ms: Int64) {
    let (place, _) = place()
    let user = person()
    add(ms, "text_runtime", "reply_admission_decision", place, user, metadata: #"{"allow":true}"#)
    add(
      ms + 120, "memory_embedding_call", "text-embedding-3-small", place, user,
      metadata: #"{"usage":{"inputTokens":14,"outputTokens":0}}"#, cost: 2.8e-7)
    modelCall(ms + 2100, place, user, source: "message_event")
    switch random.int(0...9) {
    case 0...5:
      add(
        ms + 3000, "sent_reply", "answer \(random.int(1...999))", place, Cast.bot,
        metadata: #"{"performance":{"totalMs":\#(random.int(1800...8200))}}"#)
    case 6: add(ms + 3000, "search_call", "hut opening hours", place, user, metadata: "{}")
    case 7:
      add(
        ms + 3000, "memory_fact", "likes \(random.int(1...99)) things", place, user, metadata: "{}")
    default: add(ms + 3000, "reply_skipped", "llm_skip", place, user, metadata: "{}")
    }
  }

  /// A voice session with a turn every ten seconds or so.
  private mutating func session(_ start: Int64, minutes: Int) {
    sessions += 1
    let (place, guild) = place()
    let id = "evening-session-\(sessions)"
    let head = #""sessionId":"\#(id)""#
    let users = (0..<2).map { _ in person() }
    let voice = guild.voice("").id
    let end = start + Int64(minutes) * 60_000
    add(
      start, "voice_session_start", "voice_joined:\(voice)", place, users[0],
      metadata: #"{\#(head),"mode":"openai_realtime"}"#)
    var ms = start + 4000
    while ms < end {
      let user = users[random.int(0...1)]
      add(ms, "voice_turn_in", "voice_activity_started", place, user, metadata: "{\(head)}")
      for part in 0..<random.int(2...6) {
        add(
          ms + Int64(part) * 300 + 200, "voice_runtime", "openai_realtime_asr_partial_segment",
          place, user, metadata: #"{\#(head),"transcript":"so"}"#)
      }
      add(
        ms + 2400, "voice_runtime", "openai_realtime_asr_final_segment", place, user,
        metadata: #"{\#(head),"transcript":"so that is it"}"#)
      if random.int(0...2) > 0 {
        modelCall(ms + 3600, place, user, source: "voice_turn")
        add(
          ms + 4100, "voice_runtime", "openai_realtime_response_done", place, Cast.bot,
          metadata:
            #"{\#(head),"responseModel":"gpt-realtime","responseUsage":{"inputTokens":900,"outputTokens":60}}"#,
          cost: 0.004 + 0.03 * Double(random.int(0...100)) / 100)
        add(
          ms + 4200, "voice_turn_out", "bot_audio_started", place, Cast.bot, metadata: "{\(head)}")
      } else {
        // What is heard is decided (contract 4.3), also when it is not answered.
        add(
          ms + 2600, "voice_runtime", "voice_turn_addressing", place, user,
          metadata:
            #"{\#(head),"allow":false,"reason":"model_no","transcript":"so that is it","directedConfidence":0.2}"#
        )
      }
      if random.int(0...30) == 0 {
        add(
          ms + 5000, "voice_error", "realtime_tool_call_failed", place, Cast.bot,
          metadata: "{\(head)}")
      }
      ms += Int64(random.int(7000...14_000))
    }
    add(
      end, "voice_session_end", "nl_leave", place, users[0],
      metadata: #"{\#(head),"durationSeconds":\#(minutes * 60)}"#)
  }

  private mutating func burst(_ start: Int64, count: Int) {
    let (place, _) = place()
    let user = person()
    for index in 0..<count {
      add(
        start + Int64(index) * 20, "voice_runtime", "openai_realtime_asr_partial_segment", place,
        user, metadata: #"{"sessionId":"evening-burst","transcript":"\#(index)"}"#)
    }
  }

  private mutating func errors(_ start: Int64, count: Int) {
    let (place, _) = place()
    for index in 0..<count {
      let kinds = ["llm_error", "voice_error", "bot_error", "image_error", "search_error"]
      let kind = kinds[random.int(0...kinds.count - 1)]
      add(
        start + Int64(index) * 700, kind,
        kind == "bot_error" ? "gateway_reconnect_failed: socket hang up" : "429 rate_limit_error",
        kind == "bot_error" ? .nowhere : place, kind == "bot_error" ? nil : person(),
        metadata: #"{"attempt":\#(index)}"#)
    }
  }
}
