import CockpitPanes
import CockpitText
import CockpitVoice
import TerminalCore
import TerminalUI

/// Conversations by voice in the drawer.
extension ChatDrawer {
  /// Keys of voice, in the input and in the conversation; nil for all others.
  mutating func pressVoice(_ press: KeyPress, _ voice: VoiceBoard) -> LayerOutcome? {
    switch (press.key, press.modifiers) {
    case (.char("t"), .ctrl): return .effects([.chat(.voice(.talk))])
    case (.escape, []) where voice.phase == .speaking || voice.phase == .recording:
      // The first Esc ends what is heard; the next one leaves.
      return .effects([.chat(.voice(voice.phase == .speaking ? .interrupt : .cancel))])
    default: break
    }
    guard focus == .transcript else { return nil }
    switch (press.key, press.modifiers) {
    case (.char("P"), _): return .effects([.chat(.voice(.talk))])
    case (.char("V"), _): return .effects([.chat(.voice(.conversation))])
    case (.char("M"), _): return .effects([.chat(.voice(.mute))])
    case (.char("v"), []):
      showsExchanges.toggle()
      return .stay
    default: return nil
    }
  }

  /// What a key does while something is said: any key of the conversation that stays in it silences that.
  static func silencing(_ outcome: LayerOutcome) -> LayerOutcome {
    switch outcome {
    case .stay: .effects([.chat(.voice(.interrupt))])
    case .effects(let effects): .effects([.chat(.voice(.interrupt))] + effects)
    case .passed, .close, .done: outcome
    }
  }

  /// Lines that voice takes above the input.
  func voiceLines(_ voice: VoiceBoard?) -> Int {
    guard let voice else { return 0 }
    return (Self.hasLine(voice) ? 1 : 0) + (showsExchanges ? VoiceExchangeRows(voice).count : 0)
  }

  private static func hasLine(_ voice: VoiceBoard) -> Bool {
    voice.phase != .idle || voice.isConversation
  }

  /// - Returns: the line after the last one.
  func drawVoice(_ voice: VoiceBoard, y: Int, into canvas: inout Canvas) -> Int {
    var y = y
    if showsExchanges { y = VoiceExchangeRows(voice).render(y: y, into: &canvas) }
    guard Self.hasLine(voice) else { return y }
    let isLive = voice.isRecording
    var x = canvas.write(PlainText("\(voice.phase.word)"), y: y, role: voice.phase.role)
    let badge: PlainText = voice.hearsRemotely ? "REMOTE" : "LOCAL"
    x = canvas.write(badge, x: x + 1, y: y, role: voice.hearsRemotely ? .warning : .positive)
    if isLive {
      x = canvas.write(Figures.duration(ms: Double(voice.recordedMs)), x: x + 1, y: y, role: .muted)
      let width = max(0, min(24, canvas.bounds.width - x - 2))
      LevelMeter(levels: voice.levels).render(
        Rect(x: x + 1, y: y, width: width, height: 1), into: &canvas)
      x += width + 1
    }
    var words: [PlainText] = []
    if voice.isConversation {
      words.append(voice.isEchoCancelled ? "conversation" : "conversation, half duplex")
    }
    if voice.isMuted, voice.canSpeak { words.append("muted") }
    if !words.isEmpty {
      let room = max(0, canvas.bounds.width - x - 1)
      canvas.write(words.joined(separator: ", ").cut(to: room), x: x + 1, y: y, role: .muted)
    }
    return y + 1
  }

  /// Keys for the hints.
  static func voiceKeys(_ voice: VoiceBoard?, inInput: Bool) -> PlainText {
    guard let voice else { return "" }
    if voice.isLinked { return inInput ? "" : "  V ends it  M mute" }
    let talk: PlainText = voice.isRecording ? "sends what you say" : "talk"
    if inInput { return "  C-t " + talk }
    return "  P " + talk + "  V conversation  M mute  v exchanges"
  }
}

/// Loudness of the newest frames, two for a cell, the newest at the right.
struct LevelMeter {
  var levels: [AudioLevel]

  func render(_ area: Rect, into canvas: inout Canvas) {
    let shown = Array(levels.suffix(area.width * 2))
    let blank = area.width * 2 - shown.count
    func height(_ place: Int) -> Int {
      guard place >= blank else { return 0 }
      return Int((shown[place - blank].meter * 4).rounded())
    }
    for column in 0..<max(0, area.width) {
      canvas.symbol(
        .dots(height(column * 2), height(column * 2 + 1)), x: area.x + column, y: area.y,
        role: .voice)
    }
  }
}

/// The last spoken exchanges as bars of one scale, and how long they take.
struct VoiceExchangeRows {
  private static let shown = 5
  let waterfall: VoiceWaterfall
  let speaksRemotely: Bool
  let canSpeak: Bool

  init(_ voice: VoiceBoard) {
    waterfall = voice.waterfall
    speaksRemotely = voice.speaksRemotely
    canSpeak = voice.canSpeak
  }

  private var exchanges: [VoiceExchange] { Array(waterfall.exchanges.suffix(Self.shown)) }

  var count: Int { exchanges.isEmpty ? 1 : exchanges.count + 1 }

  private static let steps: [(VoiceExchange.Step, PlainText, Role)] = [
    (.transcribe, "text", .info), (.think, "first word", .warning),
    (.speak, "first sound", .voice),
  ]

  /// - Returns: the line after the last one.
  func render(y: Int, into canvas: inout Canvas) -> Int {
    guard !exchanges.isEmpty else {
      canvas.write("no spoken exchange yet", y: y, role: .muted)
      return y + 1
    }
    var y = y
    drawSummary(y: y, into: &canvas)
    let scale = exchanges.compactMap(Self.length).max() ?? 1
    for exchange in exchanges {
      y += 1
      let figure = Self.length(of: exchange).map { Figures.duration(ms: Double($0)) } ?? "-"
      let width = max(0, canvas.bounds.width - 9)
      canvas.write(figure.leftPadded(to: 7), y: y, role: .muted)
      var (x, ms) = (8, 0)
      for (step, _, role) in Self.steps {
        guard let length = exchange.ms(step) else { continue }
        ms += length
        let end = 8 + ms * width / max(1, scale)
        for column in x..<max(x, end) {
          canvas.symbol(step == .think ? .shade : .block(8), x: column, y: y, role: role)
        }
        x = max(x, end)
      }
    }
    return y + 1
  }

  private static func length(of exchange: VoiceExchange) -> Int? {
    let lengths = steps.compactMap { exchange.ms($0.0) }
    return lengths.isEmpty ? nil : lengths.reduce(0, +)
  }

  /// Percentiles, each with the number of exchanges that it is of.
  private func drawSummary(y: Int, into canvas: inout Canvas) {
    func words(_ percent: Int, _ step: VoiceExchange.Step) -> PlainText? {
      waterfall.percentile(percent, of: step).map {
        Figures.duration(ms: Double($0.ms)) + " of " + Figures.count($0.count)
      }
    }
    var x = canvas.write("p50", y: y, role: .muted) + 1
    for (step, name, role) in Self.steps {
      guard let words = words(50, step) else { continue }
      x = canvas.write(name, x: x, y: y, role: role) + 1
      x = canvas.write(words, x: x, y: y, role: .muted) + 2
    }
    guard let words = words(95, .total) else { return }
    let room = max(0, canvas.bounds.width - x)
    canvas.write(("p95 to the first sound " + words).cut(to: room), x: x, y: y, role: .muted)
  }
}
