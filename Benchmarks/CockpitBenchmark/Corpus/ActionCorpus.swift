/// An endless, deterministic sequence of actions in the shapes of the wire contract (section 4):
/// most live (camelCase, no id), some stored (snake_case, id), sizes from 130 B to 35 kB.
struct ActionCorpus {
  private var random: CorpusRandom
  private let prompt: [UInt8]
  private let kinds: [CorpusKind]
  private let weights: [Int]
  private let sum: Int
  private var builder = JSONBuilder()
  private var time = CorpusTime()
  private(set) var count = 0

  init(seed: UInt64 = 1, mix: CorpusMix = .feed) {
    random = CorpusRandom(seed: seed)
    prompt = CorpusProse.prompt(64 << 10, &random)
    kinds = CorpusKind.all
    weights = kinds.map(mix.weight(of:))
    sum = weights.reduce(0, +)
  }

  /// The next action as the live stream carries it.
  mutating func live() -> [UInt8] {
    let (action, metadata) = draw()
    return live(action, metadata)
  }

  /// The next action as a stored row: with an id, nulls for missing values, content cut at 2,000.
  mutating func stored() -> [UInt8] {
    let (action, metadata) = draw()
    return stored(action, metadata)
  }

  /// The next action in both shapes at a given time: as streamed and as stored.
  mutating func both(timeMs: Int64) -> (kind: String, live: [UInt8], stored: [UInt8]) {
    var (action, metadata) = draw()
    action.timeMs = timeMs
    // Both are written with the same draws.
    let before = random
    let live = live(action, metadata)
    random = before
    return (action.kind, live, stored(action, metadata))
  }

  private mutating func live(_ action: CorpusAction, _ metadata: CorpusMetadata) -> [UInt8] {
    builder.removeAll()
    builder.open()
    builder.text("kind", action.kind)
    if let guild = action.guild { builder.text("guildId", guild) }
    if let channel = action.channel { builder.text("channelId", channel) }
    if let message = action.message { builder.text("messageId", message) }
    if let user = action.user { builder.text("userId", user) }
    builder.text("content", action.content)
    write(metadata)
    if let cost = action.cost { builder.raw("usdCost", Self.dollars(cost)) }
    builder.text("createdAt", CorpusTime.text(action.timeMs))
    builder.close()
    return builder.bytes
  }

  private mutating func stored(_ action: CorpusAction, _ metadata: CorpusMetadata) -> [UInt8] {
    builder.removeAll()
    builder.open()
    builder.number("id", count)
    builder.text("created_at", CorpusTime.text(action.timeMs))
    builder.text("guild_id", action.guild)
    builder.text("channel_id", action.channel)
    builder.text("message_id", action.message)
    builder.text("user_id", action.user)
    builder.text("kind", action.kind)
    builder.text("content", action.content)
    write(metadata)
    builder.raw("usd_cost", Self.dollars(action.cost ?? 0))
    builder.close()
    return builder.bytes
  }

  // MARK: One action

  private mutating func draw() -> (CorpusAction, CorpusMetadata) {
    count += 1
    var left = random.number(0...sum - 1)
    var index = 0
    while left >= weights[index] {
      left -= weights[index]
      index += 1
    }
    let kind = kinds[index]
    let content =
      kind.contents.isEmpty
      ? CorpusProse.sentence(random.number(12...180), &random) : random.pick(kind.contents)
    let hasPlace = random.number(0...19) > 0
    let hasMessage =
      switch kind.metadata {
      case .runtime, .reply, .fact: true
      default: false
      }
    let cost: Int? =
      switch kind.metadata {
      case .model, .embedding, .media: random.number(0...9_000_000)
      default: nil
      }
    let action = CorpusAction(
      kind: kind.kind, content: content,
      guild: hasPlace ? id(900_000_000_000_000_100, 3) : nil,
      channel: hasPlace ? id(910_000_000_000_000_010, 24) : nil,
      message: hasMessage ? "15735\(random.number(10_000_000_000_000...99_999_999_999_999))" : nil,
      user: id(810_000_000_000_000_000, 60), cost: cost, timeMs: time.next(&random))
    return (action, kind.metadata)
  }

  private mutating func id(_ base: Int, _ spread: Int) -> String {
    String(base + random.number(0...spread - 1))
  }

  private static func dollars(_ cost: Int) -> String {
    let digits = String(cost % 100_000_000)
    let fraction = String(repeating: "0", count: 8 - digits.count) + digits
    return "\(cost / 100_000_000).\(fraction)"
  }

  private mutating func promptPiece(_ range: ClosedRange<Int>) -> [UInt8] {
    let length = random.number(range)
    var start = random.number(0...prompt.count - length - 8)
    // Pieces begin and end at spaces, so that no escape and no character is cut in two.
    while prompt[start] != 0x20 { start += 1 }
    var end = min(prompt.count - 1, start + length)
    while prompt[end] != 0x20 { end -= 1 }
    return Array(prompt[start..<max(start, end)])
  }

  // MARK: Metadata

  private mutating func write(_ metadata: CorpusMetadata) {
    if case .none = metadata { return }
    builder.open("metadata")
    switch metadata {
    case .none: break
    case .runtime: runtime()
    case .voiceRuntime: voiceRuntime()
    case .embedding:
      provider("openai", "text-embedding-3-small")
      builder.number("inputChars", random.number(12...400))
      builder.number("vectorDims", 1536)
      usage(large: false)
      builder.text("traceSource", "conversation_message_embed")
      builder.text("traceEvent", nil)
      builder.text("traceReason", nil)
    case .model:
      provider("claude-oauth", "claude-opus-4-6")
      usage(large: true)
      builder.number("toolCallCount", random.number(0...3))
      builder.text("stopReason", "end_turn")
      builder.text("transcript", promptPiece(300...1200))
      builder.text("systemPrompt", promptPiece(9_000...15_000))
      builder.text("userPrompt", promptPiece(1_000...3_000))
    case .toolCall:
      provider("claude-oauth", "claude-opus-4-6")
      usage(large: true)
      builder.text("stopReason", "tool_use")
      builder.open("rawContentSummary")
      builder.text("shape", "array")
      builder.number("length", 2)
      builder.raw("itemTypes", #"{"text":1,"tool_use":1}"#)
      builder.raw("functionCallNames", #"["browser_open"]"#)
      builder.close()
      builder.text("systemPrompt", promptPiece(600...1500))
    case .reply: reply()
    case .media:
      builder.text("provider", "giphy")
      builder.text("query", CorpusProse.sentence(24, &random))
      builder.text("source", "reply_message")
      builder.number("returnedResults", random.number(0...5))
      builder.number("latencyMs", random.number(5...2500))
      builder.text("url", "https://example.org/clip/\(random.number(1...9999))")
    case .browser:
      builder.number("step", random.number(1...12))
      builder.text("sessionKey", "reply:browser:900000000000000101:\(random.number(1...99))")
      builder.flag("isError", random.number(0...19) == 0)
      builder.raw("input", #"{"url":"https://example.org/compiler/4.2","wait":true}"#)
      builder.number("fullLength", random.number(20...4000))
    case .session:
      builder.text("sessionId", "cc48b8e5-4add-41fa-91e8-10b8de3f871f")
      builder.text("mode", "openai_realtime")
      builder.number("durationMs", random.number(1...90_000))
      builder.raw("promotionPeak", "0.2745966\(random.number(1000...9999))")
      builder.text("reason", CorpusProse.sentence(40, &random))
    case .audio:
      provider("openai", "gpt-4o-mini-transcribe")
      builder.text("language", nil)
      builder.text("prompt", nil)
      builder.text("source", "voice_file_asr")
    case .fact:
      builder.number("factId", random.number(1...5000))
      builder.text("fact", CorpusProse.sentence(90, &random))
      builder.text("factType", "preference")
      builder.raw("confidence", "0.86")
      builder.text("evidenceText", CorpusProse.sentence(120, &random))
      builder.text("scope", "user")
    }
    builder.close()
  }

  private mutating func provider(_ name: String, _ model: String) {
    builder.text("provider", name)
    builder.text("model", model)
  }

  private mutating func usage(large: Bool) {
    builder.open("usage")
    builder.number("inputTokens", random.number(large ? 200...9000 : 4...200))
    builder.number("outputTokens", large ? random.number(10...900) : 0)
    builder.number("cacheWriteTokens", large ? random.number(0...4000) : 0)
    builder.number("cacheReadTokens", 0)
    builder.close()
  }

  private mutating func addressing() {
    builder.open("addressSignal")
    builder.flag("direct", true)
    builder.flag("inferred", random.number(0...1) == 0)
    builder.text("reason", "name_exact")
    builder.raw("confidence", "0.95")
    builder.raw("threshold", "0.62")
    builder.close()
  }

  private mutating func runtime() {
    builder.text("botId", "800000000000000001")
    builder.text("deployment", nil)
    builder.text("sessionId", nil)
    builder.text("source", "message_event")
    builder.text("stage", "admission")
    builder.flag("allow", true)
    builder.text("reason", "hard_address")
    builder.number("ambientReplyEagerness", 20)
    addressing()
    builder.raw("loadedSectionKeys", #"["identity","core"]"#)
    builder.raw("warnings", "[]")
    builder.text("excerpt", CorpusProse.sentence(random.number(40...500), &random))
    builder.number("recentMessageCount", random.number(0...30))
  }

  private mutating func voiceRuntime() {
    builder.text("sessionId", "c64911d2-2fa4-4001-a4df-6abad6dab1c0")
    builder.text("type", "session.update")
    builder.open("payload")
    builder.raw("outputModalities", #"["audio"]"#)
    builder.raw("inputAudioFormat", #"{"type":"audio/pcm","rate":24000}"#)
    builder.raw("outputAudioFormat", #"{"type":"audio/pcm","rate":24000}"#)
    builder.number("flushedBytes", random.number(1_000...90_000))
    builder.number("instructionsChars", random.number(500...4000))
    builder.close()
    // One turn in thirty tells everything it was given.
    if random.number(0...29) == 0 {
      builder.text("instructions", promptPiece(4_000...16_000))
    } else {
      builder.text("transcript", CorpusProse.sentence(random.number(20...900), &random))
    }
  }

  private mutating func reply() {
    builder.text("source", "message_event")
    addressing()
    builder.open("replyPrompts")
    builder.flag("hiddenByDefault", true)
    builder.text("systemPrompt", promptPiece(14_000...19_000))
    builder.text("initialUserPrompt", promptPiece(4_000...9_000))
    builder.raw("followupUserPrompts", "[]")
    builder.text("tools", promptPiece(4_000...6_000))
    builder.close()
    builder.open("llm")
    provider("claude-oauth", "claude-opus-4-6")
    usage(large: true)
    builder.close()
  }
}
