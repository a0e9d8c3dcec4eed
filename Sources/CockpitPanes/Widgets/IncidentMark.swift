import CockpitRules
import TerminalCore
import TerminalUI

/// An incident where it begins on a line of time: a letter for its level, in the colour of the level. It is the same
/// in ASCII and without colour.
package enum IncidentMark {
  package static func letter(_ level: RuleLevel) -> PlainText {
    switch level {
    case .critical: "C"
    case .warning: "W"
    case .info: "i"
    }
  }

  package static func draw(_ level: RuleLevel, x: Int, y: Int = 0, into canvas: inout Canvas) {
    canvas.write(
      letter(level), x: x, y: y, role: IncidentText.role(level),
      attributes: level == .info ? [] : .bold)
  }

  /// The worst level in each column.
  package static func worst(_ marks: [(column: Int, level: RuleLevel)]) -> [Int: RuleLevel] {
    marks.reduce(into: [:]) { $0[$1.column] = max($0[$1.column] ?? .info, $1.level) }
  }

  package static let meaning: PlainText = "an incident begins there: critical, warning, info"
}
