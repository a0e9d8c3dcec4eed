internal import ClankyWire
package import LenientJSON
package import TerminalCore

/// The words of a `DriftLedger`: a report to paste, and one line where there is little room. Both have names
/// of the wire alone.
package struct DriftReport {
  private let ledger: DriftLedger

  package init(_ ledger: DriftLedger) { self.ledger = ledger }

  private static let titles: [DriftLedger.Subject: (one: String, many: String)] = [
    .kind: ("kind", "kinds"), .event: ("event", "events"), .field: ("field", "fields"),
    .type: ("field of another type", "fields of another type"), .reason: ("reason", "reasons"),
    .value: ("word of an enumeration", "words of enumerations"), .route: ("route", "routes"),
  ]

  /// `2 kinds and 1 field are not known`; nil if everything is.
  package var sentence: PlainText? {
    let found = Dictionary(grouping: ledger.found, by: \.subject)
    var parts: [String] = []
    for subject in DriftLedger.Subject.allCases {
      guard let count = found[subject]?.count, let title = Self.titles[subject] else { continue }
      parts.append("\(count) \(count == 1 ? title.one : title.many)")
    }
    guard let last = parts.last else { return nil }
    let list =
      parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last
    let isOne = parts.count == 1 && last.hasPrefix("1 ")
    return PlainText("\(list) \(isOne ? "is" : "are") not known")
  }

  /// `2 kinds, 1 field unknown`, for a line with little room; nil if everything is known.
  package var brief: PlainText? {
    let found = Dictionary(grouping: ledger.found, by: \.subject)
    let parts = DriftLedger.Subject.allCases.compactMap { subject in
      found[subject].map { entries in
        "\(entries.count) \(subject.rawValue)\(entries.count == 1 ? "" : "s")"
      }
    }
    return parts.isEmpty ? nil : PlainText(parts.joined(separator: ", ") + " unknown")
  }

  /// The report, a line for each name.
  ///
  /// - Parameter version: of this program.
  package func lines(version: String) -> [PlainText] {
    var lines: [PlainText] = [
      PlainText("clanky-cockpit \(version), report on the wire"),
      PlainText(
        "read: \(ledger.rows) rows, \(ledger.documents) documents, "
          + "\(Self.time(ledger.fromMs)) to \(Self.time(ledger.toMs))"),
    ]
    if ledger.unreadable > 0 {
      lines.append(PlainText("not readable: \(ledger.unreadable)"))
    }
    let found = ledger.found
    if found.isEmpty { lines.append("Everything in them is known.") }
    for subject in DriftLedger.Subject.allCases {
      let entries = found.filter { $0.subject == subject }
      guard !entries.isEmpty, let title = Self.titles[subject] else { continue }
      lines.append("")
      lines.append(PlainText("\(entries.count == 1 ? title.one : title.many):"))
      for entry in entries {
        var words = ["  \(entry.name)"]
        if !entry.detail.isEmpty { words.append(entry.detail) }
        if !entry.within.isEmpty, entry.within != "row" { words.append("in \(entry.within)") }
        words.append("\(entry.count) \(entry.count == 1 ? "time" : "times")")
        words.append("\(Self.time(entry.firstMs)) to \(Self.time(entry.lastMs))")
        if entry.subject != .route { words.append(entry.route) }
        lines.append(PlainText(words.joined(separator: "  ")))
      }
      if let more = ledger.beyond[subject] {
        lines.append(PlainText("  and more names, \(more) times"))
      }
    }
    if ledger.hiddenCount > 0 {
      lines.append("")
      lines.append(
        PlainText(
          "\(ledger.hiddenCount) not shown: no names of fields, or words that also occur in texts"))
    }
    lines += ["", "It has names of the wire alone: no ids, names, texts or addresses of anybody."]
    return lines
  }

  /// The same as one object, ASCII only.
  package func json(version: String) -> [UInt8] {
    var bytes: [UInt8] = []
    value(version: version).write(to: &bytes, ascii: true)
    return bytes
  }

  private func value(version: String) -> JSONValue {
    .body([
      ("version", .string(version)), ("rows", .integer(ledger.rows)),
      ("documents", .integer(ledger.documents)), ("unreadable", .integer(ledger.unreadable)),
      ("from", .string(Self.time(ledger.fromMs))), ("to", .string(Self.time(ledger.toMs))),
      ("not_shown", .integer(ledger.hiddenCount)),
      (
        "beyond",
        .body(
          DriftLedger.Subject.allCases.compactMap { subject in
            ledger.beyond[subject].map { (subject.rawValue, .integer($0)) }
          })
      ),
      (
        "unknown",
        .array(
          ledger.found.map { entry in
            .body([
              ("subject", .string(entry.subject.rawValue)), ("name", .string(entry.name)),
              ("detail", .string(entry.detail)), ("in", .string(entry.within)),
              ("route", .string(entry.route)), ("count", .integer(entry.count)),
              ("first", .string(Self.time(entry.firstMs))),
              ("last", .string(Self.time(entry.lastMs))),
            ])
          })
      ),
    ])
  }

  /// How many names of each subject are not known, for `status --json`; nil if there are none.
  package var counts: JSONValue? {
    let found = Dictionary(grouping: ledger.found, by: \.subject)
    guard !found.isEmpty else { return nil }
    return .body(
      DriftLedger.Subject.allCases.compactMap { subject in
        found[subject].map { (subject.rawValue, .integer($0.count)) }
      })
  }

  private static func time(_ ms: Int64?) -> String {
    ms.map { WireTime(milliseconds: $0).iso } ?? "-"
  }
}
