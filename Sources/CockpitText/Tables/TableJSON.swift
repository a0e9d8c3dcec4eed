import CockpitStores
import LenientJSON
import ClankyWire
import TerminalCore

/// A table as JSON lines: an object for each line, then one with `coverage`.
package struct TableJSON {
  private let table: QueryTable
  private let query: Query

  package init(_ table: QueryTable, of query: Query) {
    self.table = table
    self.query = query
  }

  /// ASCII, without line ends.
  package var lines: [[UInt8]] { table.lines.map(json) }

  /// The object of one line.
  package func line(_ number: Int) -> [UInt8] { json(table.lines[number]) }

  /// `sum_cost_usd`, `p95_ms`, `count`.
  package var figureName: String {
    let name = table.figureName.replacing(" ", with: "_")
    return table.unit == .usd ? name + "_usd" : name
  }

  private func json(_ line: QueryTable.Line) -> [UInt8] {
    var members: [(String, JSONValue)] = []
    for (name, key) in zip(table.keyNames, line.keys) {
      switch key {
      case .text(let text, let label):
        members.append((name, .string(text)))
        if let label { members.append((name + "_name", .string(label))) }
      case .time(let range): members.append((name, .string(Self.iso(range.lowerBound))))
      }
    }
    let digits = line.figure.map { TableText.decimal($0, table.unit).description }
    members.append((figureName, digits.map { .number(JSONNumber(text: $0)) } ?? .null))
    if table.figureName != "count" { members.append(("rows", Self.count(line.rows))) }
    if let text = table.query(behind: line, of: query) { members.append(("query", .string(text))) }
    return Self.bytes(members)
  }

  /// - Parameters:
  ///   - fromMs: the start of the searched rows, in ms since 1970; nil if unknown.
  ///   - toMs: their end.
  ///   - missing: sentences about missing rows; empty if there are none.
  package func coverage(fromMs: Int64?, toMs: Int64, missing: [String]) -> [UInt8] {
    let members: [(String, JSONValue)] = [
      ("from", fromMs.map { .string(Self.iso($0)) } ?? .null), ("to", .string(Self.iso(toMs))),
      ("complete", .bool(missing.isEmpty && table.beyond == 0)),
      ("missing", .array(missing.map { .string($0) })), ("rows", Self.count(table.rows)),
      ("without", Self.object(table.missing.map { ($0.what, Self.count($0.rows)) })),
      ("in_several_lines", Self.count(table.inSeveral)),
      ("lines_left_out", Self.count(table.leftOut)),
      ("rows_beyond_the_lines", Self.count(table.beyond)),
    ]
    return Self.bytes([("coverage", Self.object(members))])
  }

  private static func iso(_ ms: Int64) -> String { WireTime(milliseconds: ms).iso }

  private static func count(_ count: Int) -> JSONValue {
    .integer(count)
  }

  private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    .object(JSONObject(members: members.map { .init(key: $0.0, value: $0.1) }))
  }

  private static func bytes(_ members: [(String, JSONValue)]) -> [UInt8] {
    var bytes: [UInt8] = []
    object(members).write(to: &bytes, ascii: true)
    return bytes
  }
}
