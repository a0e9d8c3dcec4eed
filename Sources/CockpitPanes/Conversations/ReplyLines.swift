import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import TerminalCore

/// How a reply or a silence came about, in lines.
@MainActor
struct ReplyLines {
  struct Line {
    var spans: [StyledText]
    /// The address that the line names.
    var url: String?
  }

  let record: ReplyRecord
  let facts: ViewContext
  var width: Int

  private static let label = 9

  var lines: [Line] {
    var lines: [Line] = head
    lines += field("SAID", words, .text)
    lines += field(isSilence ? "SILENT" : "REPLY", answer, isSilence ? .warning : .text)
    lines += addressing
    lines += tools
    lines += model
    lines += phases
    lines += prompts
    return lines
  }

  private var isSilence: Bool { record.silence != nil }

  private var head: [Line] {
    let at = facts.clock.day(ms: record.timeMs) + " " + facts.clock.time(ms: record.timeMs)
    let place = record.channelID.map {
      "#" + facts.channelName($0, in: record.guildID)
    }
    var spans = [StyledText(at, .number)]
    let guild = record.guildID.map { facts.guildName($0) }
    if let place { spans.append(StyledText(place + (guild == nil ? ":" : ","), .focus)) }
    if let guild { spans.append(StyledText(guild + ":", .muted)) }
    let what: PlainText =
      switch record.kind {
      case "sent_message": "a post of its own"
      case "reply_skipped": "no reply"
      default: "a reply"
      }
    spans.append(StyledText(what, .muted))
    return [Line(spans: spans)]
  }

  private var words: PlainText {
    guard let words = record.words else {
      return "the words are not on record: the row has no prompt with them"
    }
    let author = record.author.map { PlainText($0, limit: 60) + ": " } ?? ""
    return author + PlainText(words.collapsingWhitespace, limit: 2000)
  }

  private var answer: PlainText {
    PlainText((record.silence ?? record.content ?? "").collapsingWhitespace, limit: 4000)
  }

  private var addressing: [Line] {
    guard let judged = record.addressing else {
      return field("MEANT", "not said whether it was meant for the bot", .muted)
    }
    var text: PlainText =
      switch judged.isTriggered {
      case true?: "for the bot"
      case false?: "not for the bot"
      case nil: "not said"
      }
    if let reason = judged.reason { text += ": " + Self.reason(reason) }
    if let confidence = judged.confidence {
      text += ", confidence " + Figures.unit(confidence)
      if let threshold = judged.threshold { text += " of " + Figures.unit(threshold) + " needed" }
    }
    if let source = judged.source { text += ", judged by " + Self.judge(source) }
    var flags: [PlainText] = []
    if judged.isDirect == true { flags.append("direct") }
    if judged.isInferred == true { flags.append("inferred") }
    if !flags.isEmpty { text += " (" + flags.joined(separator: ", ") + ")" }
    return field("MEANT", text, judged.isTriggered == false ? .warning : .text)
  }

  /// The words for a code of the wire; an unknown code with spaces in place of underscores.
  private static func reason(_ code: String) -> PlainText {
    switch code {
    case "name_exact": "its name is in the message"
    case "name_alias": "a name that it goes by is in the message"
    case "direct": "addressed directly"
    case "ambient": "said to nobody in particular"
    default: PlainText(code.replacing("_", with: " "), limit: 60)
    }
  }

  private static func judge(_ source: String) -> PlainText {
    switch source {
    case "llm": "a model"
    case "exact_name": "the exact name"
    case "fallback": "a fallback rule"
    case "direct": "the direct address"
    default: PlainText(source.replacing("_", with: " "), limit: 40)
    }
  }

  // MARK: Tools

  private var tools: [Line] {
    guard !record.tools.isEmpty else { return field("TOOLS", "none on its row", .muted) }
    var lines: [Line] = []
    for (index, tool) in record.tools.enumerated() {
      var text = Self.name(of: tool.key)
      if let query = tool.query { text += " \"" + PlainText(query, limit: 200) + "\"" }
      if let count = tool.resultCount {
        text += PlainText(count == 1 ? ", 1 result" : ", \(count) results")
      }
      if let provider = tool.provider { text += ", " + PlainText(provider, limit: 40) }
      if !tool.wasUsed { text += ", not used" }
      for block in tool.blocks { text += ", " + Self.words(of: block) }
      if let error = tool.error { text += ", failed: " + PlainText(error, limit: 200) }
      let role: Role =
        tool.error != nil ? .negative : tool.wasUsed ? .tool : .warning
      lines += field(index == 0 ? "TOOLS" : "", text, role)
      for result in tool.results {
        var line = "- " + PlainText(result.title.collapsingWhitespace, limit: 200)
        if let detail = result.detail { line += "  " + PlainText(detail, limit: 60) }
        lines += field("", line, .text, url: result.url)
      }
    }
    return lines
  }

  private static func name(of key: String) -> PlainText {
    switch key {
    case "webSearch": "web search"
    case "memory": "memory"
    case "imageLookup": "image lookup"
    case "image": "image"
    case "videoGeneration": "video"
    case "gif": "GIF"
    case "toolImages": "images of tools"
    case "video": "video context"
    case "reaction": "reaction"
    case "screenShareOffer": "screen share link"
    default: PlainText(key, limit: 40)
    }
  }

  /// `blockedByDailyCap` as `blocked by daily cap`.
  private static func words(of block: String) -> PlainText {
    var words = ""
    for character in block.prefix(60) {
      if character.isUppercase { words += " " }
      words += character.lowercased()
    }
    return PlainText(words)
  }

  // MARK: Model, phases, prompts

  private var model: [Line] {
    guard record.model != nil || record.provider != nil else {
      return field("MODEL", "not on its row", .muted)
    }
    var text = PlainText(
      [record.provider, record.model].compactMap { $0 }.joined(separator: ":"), limit: 80)
    if let input = record.inputTokens { text += "  in " + Figures.count(input) }
    if let cached = record.cacheReadTokens, cached > 0 {
      text += " (cached " + Figures.count(cached) + ")"
    }
    if let output = record.outputTokens { text += " out " + Figures.count(output) }
    if let cost = record.costUSD { text += "  " + Figures.cost(cost) }
    return field("MODEL", text, .llm)
  }

  private var phases: [Line] {
    let phases = record.phases
    guard let longest = phases.map(\.ms).max(), longest > 0 else {
      return field("PHASES", "not on its row", .muted)
    }
    var lines = phases.enumerated().map { index, phase in
      let bar = Int((Double(phase.ms) / Double(longest) * 16).rounded())
      return Line(spans: [
        StyledText((index == 0 ? "PHASES" : "" as PlainText).padded(to: Self.label - 1), .muted),
        StyledText(StepNames.name(of: phase.key).padded(to: 10), .muted),
        StyledText(Figures.duration(ms: Double(phase.ms)).leftPadded(to: 7), .number),
        StyledText(PlainText(String(repeating: "=", count: bar)), .llm),
      ])
    }
    if let total = record.totalMs {
      lines.append(
        Line(spans: [
          StyledText(.spaces(Self.label - 1), .muted),
          StyledText(("total" as PlainText).padded(to: 10), .muted),
          StyledText(Figures.duration(ms: Double(total)).leftPadded(to: 7), .number, .bold),
        ]))
    }
    return lines
  }

  private var prompts: [Line] {
    guard let prompts = record.prompts else {
      return field("PROMPTS", "not on its row", .muted)
    }
    let sizes = prompts.parts.map { PlainText($0.name) + " " + Figures.count($0.count) }
    var text = sizes.isEmpty ? "none kept" : sizes.joined(separator: ", ") + " characters"
    text += PlainText(prompts.tools == 1 ? ", 1 tool offered" : ", \(prompts.tools) tools offered")
    text += "; " + facts.keys.text(.conversations) + " compares them in BRAIN"
    return field("PROMPTS", text, .text) + prompts.parts.flatMap(promptLines)
  }

  /// A prompt as it was sent; one that is longer than what is kept says so.
  private func promptLines(_ part: ReplyRecord.Prompts.Part) -> [Line] {
    var lines = [
      Line(spans: []),
      Line(spans: [StyledText(PlainText(part.name.uppercased()), .heading, .bold)]),
    ]
    for line in PlainText.lines(part.text) {
      let wrapped = line.isEmpty ? [line] : line.wrapped(to: max(8, width))
      lines += wrapped.map { Line(spans: [StyledText($0, .text)]) }
    }
    if part.count > part.text.count {
      lines.append(Line(spans: [StyledText("the rest stands in BRAIN", .muted)]))
    }
    return lines
  }

  private func field(
    _ label: PlainText, _ text: PlainText, _ role: Role, url: String? = nil
  ) -> [Line] {
    text.wrapped(to: max(8, width - Self.label), limit: 60).enumerated().map { index, part in
      Line(
        spans: [
          StyledText((index == 0 ? label : "").padded(to: Self.label - 1), .muted),
          StyledText(part, role),
        ], url: url)
    }
  }
}
