import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// How each of several sources is, in the place of the figures of one: tag, name, connection, and what is wrong or
/// waits there.
struct SourcesBar: FramePart {
  private struct Entry: Hashable {
    var tag: SourceTag
    var name: PlainText
    var state: PlainText
    var role: Role
    var word: PlainText
    var wordRole: Role
  }

  private let entries: [Entry]
  /// Their places, the source that is worst off first: what has no room is well.
  private let bySickness: [Int]

  /// - Parameter isPast: whether a playhead stands in the past: a connection was live, and what waited is not known.
  @MainActor init(_ sources: SourceList, isPast: Bool) {
    bySickness = sources.bySickness.map(\.index)
    entries = sources.members.map { member in
      let facts = member.facts
      let words = ConnectionWords(status: facts.status, monotonicNs: facts.monotonicNs)
      var (word, role): (PlainText, Role)
      if facts.isChatServer {
        (word, role) = ("chat", .muted)
      } else if facts.isGateway, isPast {
        (word, role) = ("", .muted)
      } else if facts.isGateway {
        let count = facts.control?.waiting.count ?? 0
        word = facts.control == nil ? "wait ?" : count == 0 ? "none waits" : "\(count) waits"
        role = facts.control == nil ? .muted : count == 0 ? .positive : .warning
      } else {
        let triage = TriageText(facts.triage)
        (word, role) = (triage.word, triage.role)
      }
      if !member.isLive { role = .muted }
      let wasLive = isPast && member.isLive
      return Entry(
        tag: member.tag, name: PlainText(member.name, limit: 20),
        state: wasLive ? "was live" : words.short, role: wasLive ? .muted : words.role, word: word,
        wordRole: role)
    }
  }

  func render(in area: Rect, into frame: inout Frame) {
    frame.canvas.inside(area) { canvas in
      canvas.clear(canvas.bounds)
      var x = 1
      // Where not all have room the tags stand for the names.
      let whole = entries.reduce(-2) {
        $0 + 8 + $1.name.columns + $1.state.columns + $1.word.columns
      }
      let hasNames = whole < canvas.bounds.width
      let tags = whole - entries.reduce(0) { $0 + $1.name.columns + 1 }
      let ordered = tags < canvas.bounds.width ? entries : bySickness.map { entries[$0] }
      for (index, entry) in ordered.enumerated() {
        let name = hasNames ? entry.name.columns + 1 : 0
        let columns = 4 + name + entry.state.columns + entry.word.columns
        // All but the last leave room for the number of the others.
        let room = canvas.bounds.width - (index < ordered.count - 1 ? 4 : 0)
        guard x + columns <= room else {
          let rest = PlainText("+\(entries.count - index)")
          if x + rest.columns <= canvas.bounds.width { canvas.write(rest, x: x, role: .muted) }
          return
        }
        x = canvas.write(entry.tag.letters, x: x, role: entry.tag.role, attributes: .bold) + 1
        if hasNames { x = canvas.write(entry.name, x: x, role: .text) + 1 }
        x = canvas.write(entry.state, x: x, role: entry.role) + 1
        x = canvas.write(entry.word, x: x, role: entry.wordRole) + 3
      }
    }
  }
}
