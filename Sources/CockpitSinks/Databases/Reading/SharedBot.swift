package import CockpitHistory

/// A bot of a shared history.
package struct SharedBot: Hashable, Sendable {
  package var name: String
  /// In hexadecimal digits; nil where the database has names alone.
  package var fingerprint: String?
  /// The SQL that means its rows.
  let condition: String

  /// The bots that there are, by their names.
  package static func all(in database: some SharedDatabase) throws(HistoryError) -> [SharedBot] {
    let dialect = database.dialect
    let sql =
      dialect == .postgres
      ? "select name, encode(fingerprint, 'hex'), id from clanky.bot order by name"
      : "SELECT DISTINCT bot FROM clanky.action ORDER BY bot"
    return try database.rows(sql).map { row in
      let name = row.text(0)
      return SharedBot(
        name: name, fingerprint: dialect == .postgres ? row.text(1) : nil,
        condition: dialect == .postgres ? "bot = \(row.int(2))" : "bot = \(dialect.text(name))")
    }
  }

  /// The bot that is meant.
  ///
  /// - Parameters:
  ///   - name: as the user names it; nil for that of the profile.
  ///   - known: what the bot of the profile is called on Discord or by its address, and what sinks call it.
  package static func find(
    _ name: String?, orKnownAs known: [String], in bots: [SharedBot], of place: String
  ) throws(HistoryError) -> SharedBot {
    if let name {
      if let bot = bots.first(where: { $0.name == name }) { return bot }
    } else {
      let prints = known.map { RowFingerprint.hexadecimal(RowFingerprint.bot($0)) }
      if let bot = bots.first(where: { $0.fingerprint.map(prints.contains) ?? false }) {
        return bot
      }
      if let bot = bots.first(where: { known.contains($0.name) }) { return bot }
    }
    guard !bots.isEmpty else { throw HistoryError(.refused, "\(place) has no bot yet") }
    let names = bots.map(\.name).joined(separator: ", ")
    throw HistoryError(
      .refused,
      name.map { "\(place) has no bot '\($0)'; it has: \(names)" }
        ?? "\(place) does not have the bot of this profile; --bot names one of: \(names)")
  }
}

/// A value of an answer, which both databases give as text.
extension [[UInt8]?] {
  func text(_ column: Int) -> String {
    self[column].map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
  func number(_ column: Int) -> Int64? {
    self[column].flatMap { Int64(String(decoding: $0, as: UTF8.self)) }
  }
  func int(_ column: Int) -> Int64 { number(column) ?? 0 }
}
