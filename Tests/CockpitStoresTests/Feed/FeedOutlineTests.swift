import Foundation
import Testing

@testable import CockpitStores

/// The lines of the feed: levels, turns, runs, and that following gives what one look gives.
@MainActor
@Suite struct FeedOutlineTests {
  private static func fact(
    _ id: Int, _ kind: String, _ content: String = "", atMs: Int64? = nil, user: String = "7",
    channel: String = "5", metadata: String = "{}"
  ) -> Fact {
    Fact(
      id: id, timeMs: startMs + (atMs ?? Int64(id) * 100), kind: kind, content: content, user: user,
      channel: channel, metadata: metadata)
  }

  private static func trigger(_ message: String, _ more: String = "") -> String {
    "{\"triggerMessageId\":\"\(message)\"\(more)}"
  }

  /// An answer in text as the backend logs it, from its first id on.
  private static func answer(_ first: Int, _ message: String, user: String = "7") -> [Fact] {
    [
      fact(
        first, "text_runtime", "reply_admission_decision", user: user,
        metadata: trigger(message, ",\"allow\":true")),
      fact(first + 1, "memory_embedding_call", "text-embedding-3-small", user: user),
      fact(
        first + 2, "text_runtime", "reply_pipeline_gate", user: user,
        metadata: trigger(message, ",\"allow\":true")),
      fact(
        first + 3, "llm_call", "anthropic:claude", user: user,
        metadata: "{\"messageId\":\"\(message)\"}"),
      fact(
        first + 4, "sent_reply", "answer to \(message)", user: "1", metadata: trigger(message)),
    ]
  }

  private func outline(_ log: ActionLog, _ folding: FeedFolding) -> FeedOutline {
    let outline = FeedOutline()
    while outline.sync(with: log, voice: VoiceStore(), folding: folding) {}
    return outline
  }

  private func ids(_ outline: FeedOutline, _ log: ActionLog) -> [Int] {
    (0..<outline.count).map { log.row(outline.rowID(at: $0))?.actionID ?? -1 }
  }

  private func row(_ id: Int, _ log: ActionLog) throws -> RowID {
    try #require(log.rowID(actionID: id))
  }

  @Test("an answer in text is one line of the story, with its steps folded into it")
  func text() throws {
    let log = ActionLog()
    log.rows(
      Self.answer(1, "111111111111111111") + Self.answer(11, "222222222222222222", user: "8"))
    let story = outline(log, FeedFolding(level: .story))
    #expect(ids(story, log) == [15, 5])
    #expect(story.foldedCount == 8)
    let mark = story.mark(of: try row(15, log))
    #expect(mark.steps == 4 && mark.repeats == 1 && !mark.isOpen)
    let normal = outline(log, FeedFolding(level: .normal))
    #expect(ids(normal, log) == [15, 14, 13, 11, 5, 4, 3, 1])
    #expect(normal.mark(of: try row(15, log)).steps == 1)
    // The row without an id belongs to the message of the same person, and says that it is inferred.
    #expect(story.turnKeys(of: try row(12, log)) == [.message("222222222222222222")])
    #expect(normal.mark(of: try row(14, log)).bracket?.isInferred == false)
    var open = FeedFolding(level: .story)
    open.openTurns = [.message("222222222222222222")]
    let unfolded = outline(log, open)
    #expect(ids(unfolded, log) == [15, 14, 13, 12, 11, 5])
    #expect(unfolded.mark(of: try row(12, log)).bracket?.isInferred == true)
    let bracket = try #require(unfolded.mark(of: try row(13, log)).bracket)
    let (newest, oldest) = (try row(15, log), try row(11, log))
    #expect(bracket.newest == newest && bracket.oldest == oldest)
    #expect(unfolded.mark(of: try row(15, log)).isOpen)
  }

  @Test(
    "refusals, failures and unknown kinds are told; a turn of which nothing can be told is a line")
  func told() throws {
    let log = ActionLog()
    log.rows([
      Self.fact(
        1, "text_runtime", "reply_admission_decision",
        metadata: Self.trigger("111111111111111111", ",\"allow\":false")),
      Self.fact(2, "llm_error", "529 overloaded", channel: "6"),
      Self.fact(3, "hologram_started", "hello"),
      Self.fact(4, "clankvox_runtime", "something_new"),
      Self.fact(
        5, "text_runtime", "reply_admission_decision", user: "9",
        metadata: Self.trigger("333333333333333333", ",\"allow\":true")),
      Self.fact(
        6, "text_runtime", "reply_tool_availability", user: "9",
        metadata: Self.trigger("333333333333333333", ",\"allow\":true")),
    ])
    let story = outline(log, FeedFolding(level: .story))
    #expect(ids(story, log) == [6, 3, 2, 1])
    #expect(story.mark(of: try row(6, log)).steps == 1)
  }

  @Test("messages that are answered together are one turn, whatever comes first")
  func joined() throws {
    let (one, two) = ("111111111111111111", "222222222222222222")
    let facts = [
      Self.fact(1, "text_runtime", "reply_admission_decision", metadata: Self.trigger(one)),
      Self.fact(2, "text_runtime", "reply_admission_decision", metadata: Self.trigger(two)),
      Self.fact(
        3, "sent_reply", "both",
        metadata: Self.trigger(one, ",\"triggerMessageIds\":[\"\(one)\",\"\(two)\"]")),
    ]
    for order in [facts, facts.reversed()] {
      let log = ActionLog()
      for fact in order { log.rows([fact]) }
      let story = outline(log, FeedFolding(level: .story))
      #expect(ids(story, log) == [3])
      #expect(story.mark(of: try row(3, log)).steps == 2)
    }
  }

  @Test("rows that say the same are one line; what differs is not")
  func runs() throws {
    let log = ActionLog()
    log.rows(
      (1...17).map { Self.fact($0, "llm_error", "529 overloaded", channel: "6") }
        + [Self.fact(18, "llm_error", "429 slow down", channel: "6")])
    var folding = FeedFolding(level: .story)
    var story = outline(log, folding)
    #expect(ids(story, log) == [18, 17])
    #expect(story.mark(of: try row(17, log)).repeats == 17)
    let oldest = try row(1, log)
    #expect(story.run(around: try row(4, log)) == oldest)
    folding.openRuns = [oldest]
    story = outline(log, folding)
    #expect(story.count == 18)
    // The selected row has a line of its own.
    folding.openRuns = []
    folding.kept = try row(4, log)
    #expect(outline(log, folding).count == 18)
  }

  @Test("a selected step keeps its line at every level, and another turn's stay folded")
  func kept() throws {
    let log = ActionLog()
    log.rows(
      Self.answer(1, "111111111111111111") + Self.answer(11, "222222222222222222", user: "8"))
    var folding = FeedFolding(level: .story)
    folding.kept = try row(4, log)
    #expect(ids(outline(log, folding), log) == [15, 5, 4])
    // A row without a line is where its turn is.
    folding.kept = nil
    let story = outline(log, folding)
    #expect(story.index(holding: try row(12, log)) == 0)
    #expect(story.index(holding: try row(1, log)) == 1)
  }

  @Test("turns of voice are those of their session, and the tool is told once")
  func voice() throws {
    let session = "\"sessionId\":\"s-1\""
    let log = ActionLog()
    log.rows([
      Self.fact(1, "voice_session_start", "voice_joined", user: "1", metadata: "{\(session)}"),
      Self.fact(2, "voice_turn_in", "voice_activity_started", metadata: "{\(session)}"),
      Self.fact(
        3, "voice_runtime", "openai_realtime_asr_partial_segment",
        metadata: "{\(session),\"transcript\":\"clanky\"}"),
      Self.fact(
        4, "voice_runtime", "openai_realtime_asr_final_segment",
        metadata: "{\(session),\"transcript\":\"clanky, is it raining?\",\"speakerName\":\"Nadia\"}"
      ),
      Self.fact(
        5, "voice_runtime", "voice_turn_addressing", metadata: "{\(session),\"allow\":true}"),
      Self.fact(
        6, "voice_runtime", "voice_brain_tool_call",
        metadata: "{\(session),\"toolName\":\"web_search\"}"),
      Self.fact(
        7, "voice_runtime", "realtime_reply_requested", user: "1",
        metadata: "{\(session),\"requestId\":1,\"replyText\":\"It is.\"}"),
    ])
    let store = VoiceStore()
    store.follow(log)
    let story = FeedOutline()
    // Without the turns of the session it has every row, and says that it is behind.
    let level = FeedFolding(level: .story)
    #expect(story.sync(with: log, voice: store, folding: level, followsVoice: false))
    #expect(story.turnKeys(of: try row(3, log)).isEmpty)
    while story.sync(with: log, voice: store, folding: level) {}
    #expect(!story.sync(with: log, voice: store, folding: level, followsVoice: false))
    #expect(ids(story, log) == [7, 6, 4, 1])
    let mark = story.mark(of: try row(7, log))
    #expect(mark.steps == 3)
    let words = try row(4, log)
    #expect(mark.bracket?.oldest == words)
    let keys = story.turnKeys(of: try row(3, log))
    let reply = try row(7, log)
    #expect(keys.count == 1 && keys == story.turnKeys(of: reply))
  }

  @Test("following, in any order, with changes and evictions, gives the lines of a fresh look")
  func following() throws {
    let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
    for seed in 0..<(isLong ? 12 : 6) {
      var random = SeededRandom(UInt64(seed))
      let log = ActionLog(memory: seed.isMultiple(of: 2) ? 4 << 20 : 64 << 20)
      let followed = FeedOutline()
      var folding = FeedFolding(level: .story)
      var id = 1
      for round in 0..<60 {
        var facts: [Fact] = []
        for _ in 0..<Int.random(in: 0...4, using: &random) {
          let message = "1111111111111111\(10 + Int.random(in: 0..<20, using: &random))"
          // Late ones stand among older rows.
          let base = Int64(round * 1000 - Int.random(in: 0...3, using: &random) * 700)
          let user = "\(Int.random(in: 7...60, using: &random))"
          for var fact in Self.answer(id, message, user: user) {
            // What was linked by time alone stays so when the row that it follows is evicted.
            if seed.isMultiple(of: 2), fact.kind == "memory_embedding_call" {
              fact.metadata = "{\"traceMessageId\":\"\(message)\"}"
            }
            fact.timeMs =
              startMs + base + Int64(fact.id - id) * Int64.random(in: 0...90, using: &random)
            if fact.kind == "llm_call" { fact.content = String(repeating: "x", count: 30_000) }
            facts.append(fact)
          }
          id += 5
          if Bool.random(using: &random) {
            facts.append(
              Self.fact(id, "llm_error", "529 overloaded", atMs: base + 50, channel: "6"))
            id += 1
          }
        }
        facts.shuffle(using: &random)
        for fact in facts where Bool.random(using: &random) { try log.live(fact.live) }
        log.rows(facts)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: folding.level = FeedLevel.allCases[Int.random(in: 0..<3, using: &random)]
        case 1 where log.count > 0:
          let row = log.rowID(at: Int.random(in: 0..<log.count, using: &random))
          folding.kept = row
          folding.openTurns.formUnion(followed.turnKeys(of: row))
          if let run = followed.run(around: row) { folding.openRuns.insert(run) }
        case 2: folding = FeedFolding(level: folding.level)
        default: break
        }
        while followed.sync(with: log, voice: VoiceStore(), folding: folding, rowBudget: 20) {}
        let fresh = outline(log, folding)
        guard folding.level != .everything else { continue }
        let (mine, theirs) = (ids(followed, log), ids(fresh, log))
        #expect(mine == theirs, "seed \(seed), round \(round)")
        guard mine == theirs else { return }
        let rows = (0..<fresh.count).map { fresh.rowID(at: $0) }
        let (left, right) = (rows.map { followed.mark(of: $0) }, rows.map { fresh.mark(of: $0) })
        #expect(
          left.map(\.steps) == right.map(\.steps) && left.map(\.repeats) == right.map(\.repeats))
        // Every row is in a line, folded or counted.
        #expect(followed.foldedCount + followed.count == log.count)
      }
    }
  }
}
