import LenientJSON
import TerminalCore

/// The output format of a status bar. Untrusted text is plain in each of them: no markup, no style,
/// no command.
package enum BarFormat: String, CaseIterable, Sendable {
  case plain, json, tmux, waybar

  /// A line as it is.
  package static func plain(_ line: [GlanceText.Span]) -> String {
    line.map(\.text.description).joined()
  }

  /// A line for `#(…)` in an option of tmux.
  package static func tmux(_ line: [GlanceText.Span], hasColor: Bool) -> String {
    line.map { tmux($0, hasColor: hasColor) }.joined()
  }

  /// tmux takes `#` as the begin of a style, a variable or a command; doubled it is a `#`.
  private static func tmux(_ span: GlanceText.Span, hasColor: Bool) -> String {
    let text = span.text.description.replacing("#", with: "##")
    let style: String? =
      switch span.tone {
      case .plain: nil
      case .good: "fg=green"
      case .warning: "fg=yellow"
      case .bad: "fg=red,bold"
      case .muted: "dim"
      }
    guard hasColor, let style else { return text }
    return "#[\(style)]\(text)#[default]"
  }

  /// The five characters that mean something in Pango markup, as entities.
  package static func pango(_ text: PlainText) -> String {
    var output = ""
    for character in text.description.unicodeScalars {
      switch character {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      default: output.unicodeScalars.append(character)
      }
    }
    return output
  }

  /// JSON for a `custom` module of waybar with `"return-type": "json"`.
  ///
  /// `class` holds the state and, if they apply, `stale`, `errors` and `voice`; `percentage` is 100
  /// for healthy, 50 for degraded, else 0: it selects one of the module's `format-icons`.
  package static func waybar(_ text: GlanceText, size: GlanceText.Size, columns: Int) -> [UInt8] {
    let overview = text.overview
    var classes = [overview.health.rawValue]
    if text.isStale { classes.append("stale") }
    if overview.activity.map({ $0.failures > 0 }) ?? false { classes.append("errors") }
    if overview.sessions.map({ !$0.isEmpty }) ?? false { classes.append("voice") }
    let percentage =
      switch overview.health {
      case .healthy: 100
      case .degraded: 50
      case .unreachable, .unauthorized: 0
      }
    return waybar(
      text.lines(size, columns: columns),
      tooltip: text.lines(.large, columns: 80, rows: BotOverview.rowLimit), detail: overview.detail,
      state: overview.health.rawValue, classes: classes, percentage: percentage)
  }

  /// - Parameters:
  ///   - lines: the first is the bar's.
  ///   - detail: the last line of the tooltip.
  package static func waybar(
    _ lines: [[GlanceText.Span]], tooltip: [[GlanceText.Span]], detail: String?, state: String,
    classes: [String], percentage: Int
  ) -> [UInt8] {
    func markup(_ line: [GlanceText.Span]) -> String { line.map { pango($0.text) }.joined() }
    var tooltip = tooltip.map(markup)
    if let detail { tooltip.append(pango(PlainText(detail, limit: 400))) }
    var line = JSONObjectWriter()
    line.string("text", lines.first.map(markup) ?? "")
    line.string("alt", state)
    line.string("tooltip", tooltip.joined(separator: "\n"))
    line.value("class", .array(classes.map(JSONValue.string)))
    line.int("percentage", percentage)
    return line.finish()
  }
}
