import TerminalUI
import CockpitText
import Networking
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

extension BrainPane {
  /// The selected call; with the prompt, the context or the facts in focus these, exactly.
  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] {
    let ofRow = selectedRow(facts).map {
      RowCopy(row: $0, facts: facts).items(pathValue: pathValue)
    }
    var items: [CopyItem] = []
    if let text = focusedText(facts) { items.append(CopyItem(.row, text)) }
    if let json = focusedJSON(facts) { items.append(CopyItem(.json, json)) }
    if let path = rawPath(focus, facts), let session = session(facts) {
      // The focused panel shows a part of the session: the call's id and links do not apply.
      items.append(CopyItem(.id, session.sessionID))
      items.append(CopyItem(.pathValue, path.joined(separator: ".")))
      items.append(
        CopyItem(.curl, ShellLine.curl(facts.connection.address, RequestTarget.voiceState)))
      items.append(CopyItem(.query, "session:" + RowCopy.queryWord(session.sessionID)))
      items.append(CopyItem(.permalink, facts.permalink(["session"], session.sessionID)))
      return items
    }
    let known = Set(items.map(\.kind))
    return items + (ofRow ?? []).filter { !known.contains($0.kind) }
  }

  private var pathValue: String? {
    side == .detail && focus == .prompt ? detail.member?.assignment : nil
  }

  /// The text of the focused prompt: its open parts, or all if none is open.
  @MainActor private func focusedText(_ facts: ViewContext) -> String? {
    switch focus {
    case .prompt where side == .prompt:
      guard let parts = inspected(facts)?.content.parts, !parts.isEmpty else { return nil }
      let open = parts.filter { unfolded.contains(.part($0.key)) }
      return (open.isEmpty ? parts : open).map(\.text).joined(separator: "\n\n")
    case .facts:
      let used = usedFacts(facts).facts
      return used.indices.contains(factCursor.line) ? used[factCursor.line].fact.fact : nil
    case .context, .budget:
      return contextLines(facts, width: 100)
        .map { $0.spans.map(\.text.description).joined(separator: " ") }.joined(separator: "\n")
    case .calls, .chain, .prompt: return nil
    }
  }

  @MainActor private func focusedJSON(_ facts: ViewContext) -> String? {
    rawPath(focus, facts).flatMap { stateValue($0, facts) }?.serialized()
  }

  /// The focused panel in full: the prompt's text, the calls one to a line.
  @MainActor package func plainText(_ facts: ViewContext) -> String? {
    if side != .prompt, let lines = sideLines(facts, width: 10_000) {
      return lines.map { line in
        String(repeating: "  ", count: line.indent)
          + line.spans.map(\.text.description).joined(separator: " ")
      }.joined(separator: "\n")
    }
    if focus == .calls || focus == .chain {
      let lines = callLines(facts).prefix(1000).compactMap { line -> String? in
        guard case .call(let call) = line, let row = facts.activity.log.row(call.row) else {
          return nil
        }
        return RowCopy(row: row, facts: facts).text.replacing("\n", with: " ")
      }
      return lines.joined(separator: "\n")
    }
    return focusedText(facts)
  }
}
