import CockpitChat
import CockpitText
import TerminalCore

/// The lines of an entry in pieces: its head, the segments of its text, its foot.
struct ChatText {
  let entry: ChatEntry
  let clock: ClockFormat
  let width: Int
  /// Whether its tools are listed.
  var isUnfolded = false
  var isSelected = false
  /// Of its images, as far as they are known.
  var previews: [ImagePreview] = []

  /// Pieces of an entry: the head, its segments, the foot.
  static func count(_ entry: ChatEntry) -> Int { entry.markdown.count + 2 }

  /// The lines of a piece. Those of a segment depend on its text and the width alone.
  func lines(_ piece: Int) -> [ChatLine] {
    if piece == 0 { return head }
    if piece > entry.markdown.count { return foot }
    guard let segment = entry.markdown[piece - 1] else { return [] }
    let isContinued =
      if case .code(_, _, isFirst: false) = segment.kind { true } else { piece == 1 }
    return (isContinued ? [] : [ChatLine([])]) + MarkdownLayout(width: width).lines(of: segment)
  }

  // MARK: Head

  private var head: [ChatLine] {
    if entry.author == .session {
      let version = PlainText(entry.text, limit: 12)
      return [ChatLine("-- new conversation, session v" + version + " --", .muted)]
    }
    let name: PlainText = entry.author == .user ? "you" : "agent"
    let role: Role = isSelected ? .focus : entry.author == .user ? .key : .llm
    var spans = [
      StyledText(isSelected ? "> " + name : name, role, .bold),
      StyledText("  " + clock.time(ms: entry.atMs), .muted),
    ]
    if let model = entry.model {
      spans.append(StyledText("  " + PlainText(model, limit: 40), .muted))
    }
    var lines = StyledWrap(width: width).lines(spans).map { ChatLine($0) }
    if !entry.images.isEmpty {
      let names = entry.images.map { PlainText($0, limit: 60) }.joined(separator: ", ")
      lines += StyledWrap(width: width).lines([StyledText("images: " + names, .media)]).map {
        ChatLine($0)
      }
      let strip = ImageStrip(
        previews, room: Size(width: width, height: ImageStrip.largest.height))
      lines += (0..<strip.height).map { ChatLine([], picture: ChatLine.Picture(strip, row: $0)) }
    }
    return lines
  }

  // MARK: Foot

  private var foot: [ChatLine] {
    guard entry.author == .agent else { return [ChatLine([])] }
    var lines = tools
    if entry.isUnderWay, entry.text.isEmpty {
      let phase = entry.phase.map { ": " + PlainText($0, limit: 40) } ?? ""
      lines.append(ChatLine("thinking" + phase, .info))
      if let last = PlainText.lines(entry.thinking).last(where: { !$0.isEmpty }) {
        lines.append(ChatLine(last.cut(to: width), .faint, .italic))
      }
    }
    if entry.isCut { lines.append(ChatLine("the answer is longer than is kept", .warning)) }
    switch entry.end {
    case .failed(let failure)?:
      let words = PlainText(failure.sentence, limit: 600)
      lines += words.wrapped(to: width).map { ChatLine($0, .negative) }
      lines.append(ChatLine("/retry sends the message again", .muted))
    case .aborted?: lines.append(ChatLine("aborted; what had come is kept", .warning))
    case .completed? where entry.text.isEmpty:
      lines.append(ChatLine("the agent ended without a text", .muted))
    default: break
    }
    if let words = usage { lines += words.wrapped(to: width).map { ChatLine($0, .muted) } }
    return lines + [ChatLine([])]
  }

  private var tools: [ChatLine] {
    guard !entry.tools.isEmpty else { return [] }
    let count = entry.tools.count
    let failed = entry.tools.count { $0.state == .failed }
    var words = PlainText("\(count) \(count == 1 ? "tool" : "tools")")
    if let ms = entry.toolMs { words += " " + Self.seconds(ms) }
    if failed > 0 { words += PlainText(", \(failed) failed") }
    if let running = entry.tools.last(where: { $0.state == .running }) {
      words += ", runs " + PlainText(running.name, limit: 40)
    }
    let mark: PlainText = isUnfolded ? "- " : "+ "
    var lines = [ChatLine((mark + words).cut(to: width), failed > 0 ? .warning : .tool)]
    guard isUnfolded else { return lines }
    for tool in entry.tools {
      let time = tool.durationMs.map { " " + Self.seconds($0) } ?? ""
      let role: Role = tool.state == .failed ? .negative : .muted
      let line =
        "  " + PlainText(tool.name, limit: 60) + " " + PlainText(tool.state.rawValue) + time
      lines.append(ChatLine(line.cut(to: width), role))
    }
    return lines
  }

  /// `1,204 tokens  $0.0123  4.1 s`; nil where the server says nothing of it.
  private var usage: PlainText? {
    var parts: [PlainText] = []
    if let tokens = entry.usage?.total { parts.append(Figures.count(tokens) + " tokens") }
    if let cost = entry.usage?.costUSD { parts.append(Figures.cost(cost)) }
    // What was spoken has no time of its own.
    if let ms = entry.durationMs, ms > 0, entry.end == .completed { parts.append(Self.seconds(ms)) }
    return parts.isEmpty ? nil : parts.joined(separator: "  ")
  }

  /// `4.1 s`
  static func seconds(_ ms: Int) -> PlainText {
    PlainText("\(Figures.fixed(Double(ms) / 1000, 1)) s")
  }
}
