import ClankyWire
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The end of the gateway's log, as far as it was read, and the line under the cursor in full.
@MainActor
struct GatewayLogView {
  private let facts: ViewContext
  private let log: GatewayLog
  private let entry: GatewayFindings.Entry?

  init(_ facts: ViewContext) {
    self.facts = facts
    log = facts.findings.log
    entry = facts.findings[.logs]
  }

  /// Rows for the whole of the line under the cursor.
  private static let detailRows = 5

  private func detailRows(in body: Rect) -> Int { body.height >= 16 ? Self.detailRows : 0 }

  /// One row is the heading.
  func list(in body: Rect) -> CursorList<Int> {
    let height = max(1, body.height - 1 - detailRows(in: body))
    return CursorList(count: log.lines.count, height: height, rest: .following(.bottom)) {
      log.lines[$0].number
    }
  }

  func render(_ cursor: ListCursor<Int>, in body: Rect, into frame: inout Frame) {
    let list = list(in: body)
    let cursor = cursor.settled(in: list)
    frame.canvas.inside(body) { canvas in
      canvas.rule("GATEWAY LOG", trailing: state, y: 0)
      let width = canvas.bounds.width - 2
      guard !log.lines.isEmpty else {
        let words: PlainText =
          entry?.problem.map { PlainText($0, limit: 400) }
          ?? (entry?.atMs == nil ? facts.awaited(entry) : "The gateway's log has no line.")
        for (y, line) in words.wrapped(to: max(8, width), limit: 6).enumerated() {
          canvas.write(line, x: 1, y: y + 1, role: entry?.problem == nil ? .muted : .warning)
        }
        return
      }
      for (y, line) in log.lines.dropFirst(cursor.scroll).prefix(list.height).enumerated() {
        canvas.write(text(line).cut(to: width), x: 1, y: y + 1, role: role(line))
        if cursor.scroll + y == cursor.line, !cursor.isResting {
          canvas.paintRow(y + 1, background: .selection)
        }
      }
      guard detailRows(in: body) > 0, log.lines.indices.contains(cursor.line) else { return }
      let y = list.height + 1
      canvas.rule(cursor.isResting ? "newest line" : "line", trailing: problem, y: y)
      let whole = text(log.lines[cursor.line]).wrapped(
        to: max(8, width), limit: Self.detailRows - 1)
      for (row, line) in whole.enumerated() { canvas.write(line, x: 1, y: y + 1 + row) }
    }
  }

  /// How much of it is here, and of when.
  private var state: PlainText {
    let name = log.file?.split(separator: "/").last ?? ""
    var words = PlainText(String(name), limit: 40)
    if log.isCut { words += "  not whole" }
    if let at = entry?.atMs { words += "  " + facts.asOf(readMs: at) }
    return facts.isGatewayAway
      ? words : words + "  " + facts.keys.text(.refresh) + " reads on"
  }

  private var problem: PlainText {
    entry?.problem.map { "not read on: " + PlainText($0, limit: 200) } ?? ""
  }

  private func text(_ line: GatewayLog.Line) -> PlainText {
    var words: PlainText = ""
    if let time = line.time {
      words += (timeMs(time).map { facts.clock.time(ms: $0) } ?? PlainText(time, limit: 30)) + " "
    }
    if let level = line.level { words += PlainText(level, limit: 8).padded(to: 5) + " " }
    if let part = line.part { words += PlainText(part, limit: 40) + ": " }
    return words + PlainText(line.text)
  }

  private func timeMs(_ text: String) -> Int64? { WireTime(iso: text)?.milliseconds }

  private func role(_ line: GatewayLog.Line) -> Role {
    switch line.level?.uppercased() {
    case "ERROR", "FATAL": .negative
    case "WARN": .warning
    case "DEBUG", "TRACE", "SILLY": .muted
    default: .text
    }
  }

  var plainText: String {
    log.lines.map { text($0).description }.joined(separator: "\n")
  }
}
