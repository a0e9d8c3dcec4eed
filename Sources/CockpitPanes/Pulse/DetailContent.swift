import CockpitAnswers
import CockpitText
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

/// The lines of the detail of one row, page by page.
struct DetailContent {
  let row: ActionRowView
  let action: Action
  let metadata: JSONValue
  let view: DetailView
  let width: Int
  let names: Names
  let clock: ClockFormat
  let nowMs: Int64

  var lines: [DetailLine] {
    switch view.page {
    case .fields: fields + folds
    case .prompts: promptPage
    case .metadata: metadataPage
    case .raw: rawPage
    }
  }

  // MARK: Fields

  private func string(_ key: String) -> String? {
    guard let text = metadata[key]?.string, !text.isEmpty else { return nil }
    return text
  }

  private var fields: [DetailLine] {
    var lines: [DetailLine] = []
    func add(_ label: PlainText, _ value: String?, _ role: Role = .text) {
      guard let value, !value.isEmpty else { return }
      lines += field(label, value, role)
    }
    add("PROVIDER", string("provider"))
    add("MODEL", string("model") ?? string("responseModel"), .heading)
    // Realtime answers have another object with the same two keys (contract 4.5).
    if let usage = [metadata["usage"], metadata["responseUsage"]].lazy.compactMap({ $0 })
      .first(where: { $0.object != nil })
    {
      let input = Figures.count(usage["inputTokens"]?.int)
      let output = Figures.count(usage["outputTokens"]?.int)
      lines.append(DetailLine("TOKENS", input + " in / " + output + " out", .number))
      let read = Figures.count(usage["cacheReadTokens"]?.int)
      let write: PlainText =
        usage["cacheWriteTokens"].map { " / " + Figures.count($0.int) + " write" } ?? ""
      lines.append(DetailLine("CACHED", read + " read" + write, .number))
    }
    if let cost = action.costUSD, cost != 0 {
      lines.append(DetailLine("COST", Figures.cost(cost), .cost))
    }
    add("STOP", string("stopReason"))
    add("TOOLS", toolNames)
    // The duration shown on the feed line: each kind stores it elsewhere.
    if let ms = ActionSummary(of: action, metadata: metadata, names: names).durationMs
      ?? metadata[path: "performance", "totalMs"]?.double
    {
      lines.append(DetailLine("DURATION", Figures.duration(ms: ms), .number))
    }
    lines += outcome
    // A model call's content is its provider and model, which stand above.
    if let content = action.content, !content.isEmpty, row.domain != .llm || row.isFailure {
      lines += field(row.label.event == nil ? "CONTENT" : "EVENT", content, .text)
    }
    if row.domain != .llm { add("WORDS", string("transcript")) }  // else it is the output's fold
    for (label, key) in [
      ("SPEAKER", "speakerName"), ("HEARD", "heard"),
      ("REPLY", "replyText"), ("REASON", "reason"), ("SOURCE", "source"), ("ERROR", "error"),
    ] { add(PlainText(label), string(key), key == "error" ? .negative : .text) }
    lines += performance
    lines.append(DetailLine([]))
    lines.append(
      DetailLine(
        "TIME",
        clock.day(ms: row.timeMs) + " " + clock.timeWithMilliseconds(ms: row.timeMs) + "  "
          + (nowMs - row.timeMs < 1000 ? "now" : Figures.age(ms: nowMs - row.timeMs) + " ago")))
    if let id = action.guildID { add("GUILD", "\(names.guild(id))  \(id)") }
    if let id = action.channelID { add("CHANNEL", "#\(names.channel(id))  \(id)") }
    if let id = action.userID { add("USER", "\(names.user(id))  \(id)") }
    add("MESSAGE", action.messageID)
    add("TRIGGER", string("triggerMessageId") ?? string("messageId"))
    add("SESSION", string("sessionId"))
    add(
      "ROW",
      row.isOfFormerLog
        ? "of the old log, which the backend has replaced"
        : action.id.map { "#\($0)" } ?? "live, number not known yet")
    return lines
  }

  private var toolNames: String? {
    switch metadata["toolNames"] {
    case .string(let joined): joined
    case .array(let list): list.compactMap(\.string).joined(separator: ", ")
    default: metadata["toolName"]?.string
    }
  }

  private var outcome: [DetailLine] {
    switch row.severity {
    case .error: [DetailLine("OUTCOME", "failed", .negative)]
    case .warning: [DetailLine("OUTCOME", "warning", .warning)]
    case .info: []
    }
  }

  /// The phases of a text reply (contract 4.5, Text); a phase that was not run is left out.
  private var performance: [DetailLine] {
    guard let performance = metadata["performance"], performance.object != nil else { return [] }
    let known = StepNames.text.compactMap { key, name in
      performance[key]?.double.flatMap { $0.isFinite && $0 >= 0 ? (name, $0) : nil }
    }
    guard let longest = known.map(\.1).max(), longest > 0 else { return [] }
    return known.enumerated().map { index, phase in
      let bar = Int((min(1, phase.1 / longest) * 20).rounded())
      return DetailLine([
        .init((index == 0 ? "PHASES" : "" as PlainText).padded(to: 9), .muted),
        .init(phase.0.padded(to: 10), .muted),
        .init(Figures.duration(ms: phase.1).leftPadded(to: 7), .number),
        .init(PlainText(String(repeating: "=", count: bar)), .llm),
      ])
    }
  }

  private func field(_ label: PlainText, _ value: String, _ role: Role) -> [DetailLine] {
    let room = max(8, width - 10)
    let text = value.prefix(20_000)
    let parts =
      view.isWrapping
      ? PlainText.lines(text, limit: 200).flatMap { $0.wrapped(to: room, limit: 60) }
      : [PlainText(text, limit: 2000)]
    return parts.prefix(120).enumerated().map { index, part in
      DetailLine(index == 0 ? label : "", part, role)
    }
  }

  // MARK: Prompts

  /// The prompts that this row carries, wherever its kind keeps them.
  private var prompts: [(path: String, title: PlainText, text: String)] {
    var prompts: [(String, PlainText, String)] = []
    func add(_ path: String, _ title: PlainText, _ value: JSONValue?) {
      guard let text = value?.string, !text.isEmpty else { return }
      prompts.append((path, title, text))
    }
    add("p.system", "system prompt", metadata["systemPrompt"])
    add("p.user", "user prompt", metadata["userPrompt"] ?? metadata["lastUserContent"])
    if let bundle = metadata["replyPrompts"], bundle.object != nil {
      add("p.b.system", "system prompt", bundle["systemPrompt"])
      add("p.b.user", "user prompt", bundle["initialUserPrompt"])
      let followups = bundle["followupUserPrompts"]?.array ?? []
      for (index, prompt) in followups.enumerated() {
        add("p.b.\(index)", PlainText("follow-up \(index + 1)/\(followups.count)"), prompt)
      }
      if let tools = bundle["tools"]?.array, !tools.isEmpty {
        let text = tools.map { tool in
          "\(tool["name"]?.string ?? "?"): \(tool["description"]?.string ?? "")"
        }.joined(separator: "\n")
        prompts.append(("p.b.tools", PlainText("tools \(tools.count)"), text))
      }
    }
    // In `llm_*` rows this is the model's output, in others usually user speech (contract 4.4,
    // 4.5).
    let isOutput = row.domain == .llm || string("transcriptSource") == "output"
    add("p.out", isOutput ? "model output" : "what was heard", metadata["transcript"])
    return prompts
  }

  /// Folded parts under the fields: prompts with their sizes, and the whole metadata.
  private var folds: [DetailLine] {
    var lines: [DetailLine] = [DetailLine([])]
    for prompt in prompts { lines += promptLines(prompt) }
    if case .object(let object) = metadata, !object.isEmpty {
      let isOpen = view.unfolded.contains("m")
      lines.append(
        DetailLine(
          [.init(PlainText("metadata {\(object.count)}"), .heading)], fold: "m", isOpen: isOpen))
      if isOpen { lines += MetadataTree(view: view, width: width).lines(metadata, indent: 1) }
    }
    return lines
  }

  private func promptLines(_ prompt: (path: String, title: PlainText, text: String)) -> [DetailLine]
  {
    let isOpen = view.unfolded.contains(prompt.path)
    let size = Figures.short(Double(prompt.text.utf16.count)) + " ch"
    var lines = [
      DetailLine(
        [.init(prompt.title.padded(to: 16), .heading), .init(size, .muted)],
        fold: prompt.path, isOpen: isOpen)
    ]
    if isOpen {
      let room = max(8, width - 4)
      let text = PlainText.lines(prompt.text, limit: 4000)
      for line in text {
        let parts = view.isWrapping ? line.wrapped(to: room, limit: 400) : [line]
        lines += (parts.isEmpty ? [""] : parts).map { DetailLine([.init($0)], indent: 1) }
      }
    }
    return lines
  }

  private var promptPage: [DetailLine] {
    let prompts = prompts
    guard !prompts.isEmpty else {
      return [DetailLine([.init("this row carries no prompts", .muted)])]
    }
    return prompts.flatMap(promptLines)
  }

  private var metadataPage: [DetailLine] {
    guard case .object(let object) = metadata, !object.isEmpty else {
      return [DetailLine([.init("this row carries no metadata", .muted)])]
    }
    return MetadataTree(view: view, width: width).lines(metadata, indent: 0)
  }

  private var rawPage: [DetailLine] {
    let text = row.withRaw { (try? JSONValue.parse($0))?.prettyLines(limit: 5000) } ?? []
    return text.flatMap { line -> [DetailLine] in
      let plain = PlainText(line, limit: 20_000)
      let parts = view.isWrapping ? plain.wrapped(to: max(8, width), limit: 200) : [plain]
      return parts.map { DetailLine([.init($0)]) }
    }
  }
}
