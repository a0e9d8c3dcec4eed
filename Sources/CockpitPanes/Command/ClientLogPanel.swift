import CockpitText
import CockpitStores
import TerminalCore

/// This program's own log, newest first; Enter shows an entry in full. A narrow panel gives an
/// entry up to three rows, since the error is at its end.
@MainActor
struct ClientLogPanel {
  let facts: ViewContext
  let unfolded: Set<CommandItem>
  /// Columns.
  var width: Int

  /// Columns below which few entries fit into one row.
  private static let narrow = 50

  private var entries: [ClientHistory.Entry] { facts.command.log.entries }

  /// `2 errors 1 warning`.
  var counts: PlainText {
    guard facts.replay == nil else { return "" }
    let errors = entries.count { $0.severity == .error }
    let warnings = entries.count { $0.severity == .warning }
    var parts: [PlainText] = []
    if errors > 0 { parts.append(PlainText(errors == 1 ? "1 error" : "\(errors) errors")) }
    if warnings > 0 {
      parts.append(PlainText(warnings == 1 ? "1 warning" : "\(warnings) warnings"))
    }
    return parts.joined(separator: " ")
  }

  var rows: [CommandRow] {
    // What the program notes there would have the times of the playhead, and was never so.
    guard facts.replay == nil else {
      return CommandRow.note(
        "this program's log is not recorded; the live bot shows it", width: width, limit: 3)
    }
    // The number of earlier duplicates distinguishes equal entries.
    var seen: [ClientHistory.Entry: Int] = [:]
    let items = entries.map { entry -> CommandItem in
      let count = seen[entry, default: 0]
      seen[entry] = count + 1
      var hasher = Hasher()
      hasher.combine(entry)
      hasher.combine(count)
      return .entry(hasher.finalize())
    }
    return zip(entries, items).reversed().flatMap { entry, item -> [CommandRow] in
      let role: Role =
        switch entry.severity {
        case .info: .text
        case .warning: .warning
        case .error: .negative
        }
      let time = facts.clock.time(ms: entry.atMs)
      let mark: PlainText =
        switch entry.severity {
        case .info: " "
        case .warning: "~"
        case .error: "!"
        }
      let text = PlainText(entry.text, limit: 2000)
      let room = max(8, width - time.columns - 4)
      let limit = unfolded.contains(item) ? 20 : width < Self.narrow ? 3 : 1
      let parts = limit > 1 ? text.wrapped(to: room, limit: limit) : [text]
      return parts.enumerated().map { index, part in
        CommandRow(
          [
            .init(text: index == 0 ? time : .spaces(time.columns), role: .number),
            .init(text: index == 0 ? mark : " ", role: role, attributes: .bold),
            .init(text: part, role: role),
          ], item: item)
      }
    }
  }

  var placeholder: PlainText { "Nothing happened yet." }
}
