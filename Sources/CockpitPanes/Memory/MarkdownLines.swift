import ClankyWire
import CockpitStores
import TerminalCore

/// The bot's own summary of its memory. Headings stand out, and the owner's section is masked.
@MainActor
struct MarkdownLines {
  let mask: OwnerMask
  let caches: MemoryCaches
  let facts: ViewContext
  let width: Int

  var lines: [MemoryLine] {
    let load = facts.memory.markdown
    let state = MemoryLine.state(load, "the summary", facts, width: width)
    guard let text = load.value?.markdown else { return state }
    guard !text.isEmpty else { return state + [MemoryLine("the summary is empty", .muted)] }
    return state + caches.markdown(key(text)) { make(text) }
  }

  /// Lays out the text for the next frames.
  func prepare(_ caches: inout MemoryCaches) {
    guard let text = facts.memory.markdown.value?.markdown, !text.isEmpty else { return }
    caches.prepareMarkdown(key(text)) { make(text) }
  }

  private func key(_ text: String) -> String {
    var age = "of now"
    if case .loaded(_, let atMs) = facts.memory.markdown { age = "\(atMs)" }
    return "\(age)/\(width)/\(mask.isLifted)/\(text.utf8.count)"
  }

  private func make(_ text: String) -> [MemoryLine] {
    var lines: [MemoryLine] = []
    var isPrivate = false
    for line in PlainText.lines(text, limit: 20_000) {
      let isHeading = line.description.hasPrefix("#")
      if isHeading {
        isPrivate = !mask.isLifted && line.description.lowercased().contains("owner")
      }
      if isHeading {
        lines.append(MemoryLine(line, .heading, .bold))
        if isPrivate {
          lines.append(MemoryLine(OwnerMask.text(facts.keys), .warning, link: .unmask))
        }
      } else if !isPrivate {
        lines += MemoryLine.wrapped(line, width: width)
      }
    }
    return lines
  }
}
