package import CockpitHistory

/// A database that has the shared history of a team: a question in SQL, and its answer. Calls block, and may come from
/// several threads.
package protocol SharedDatabase: Sendable {
  var dialect: SharedDialect { get }

  /// The rows of a statement, a value for each column; nil is NULL.
  func rows(_ sql: String) throws(HistoryError) -> [[[UInt8]?]]

  /// Ends the statements that run now with `HistoryError.Reason.cancelled`.
  func cancel()
}

/// What differs between the databases in the SQL of a reader.
package enum SharedDialect: Sendable {
  case postgres
  case clickHouse

  /// The longest that a statement may take, in ms.
  package static let statementMs = 5000

  /// Tables without twins.
  var action: String { table("action") }
  var document: String { table("document") }
  var link: String { table("link") }

  private func table(_ name: String) -> String {
    self == .postgres ? "clanky.\(name)" : "clanky.\(name) FINAL"
  }

  /// 1970 to 2199: what both have.
  private static let times: ClosedRange<Int64> = 0...7_258_118_399_999

  /// A time in ms since 1970 as a constant.
  func time(_ ms: Int64) -> String {
    let text = SinkText.clickHouseTime(min(max(ms, Self.times.lowerBound), Self.times.upperBound))
    return self == .postgres ? "'\(text)+00'::timestamptz" : "toDateTime64('\(text)', 3, 'UTC')"
  }

  /// A column with a time, in ms since 1970.
  func ms(_ column: String) -> String {
    self == .postgres
      ? "(extract(epoch from \(column)) * 1000)::bigint" : "toUnixTimestamp64Milli(\(column))"
  }

  /// A text as a constant.
  func text(_ text: String) -> String {
    let plain = SinkText.plain(text).text
    // PostgreSQL reads backslashes as they are: `standard_conforming_strings` is set for each connection.
    return self == .postgres
      ? "'" + plain.replacing("'", with: "''") + "'"
      : "'" + plain.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  var isFailure: String { self == .postgres ? "failed" : "failed = 1" }
  var isVoice: String { self == .postgres ? "voice" : "voice = 1" }
  /// When a row arrived: rows of version 1 do not say.
  var arrived: String { self == .postgres ? "coalesce(arrived, at)" : "arrived" }
  /// The event of a row; empty without one.
  var event: String { self == .postgres ? "coalesce(event, '')" : "event" }
  /// The document on which another is packed, in ms since 1970.
  var base: String { self == .postgres ? ms("base") : "NULL" }

  func quotient(_ dividend: String, _ divisor: Int64) -> String {
    self == .postgres ? "(\(dividend)) / \(divisor)" : "intDiv(\(dividend), \(divisor))"
  }

  /// Rows that may have the words of a term.
  func holds(_ term: HistorySearch.Term) -> String {
    let choices = [term] + term.alternatives
    switch self {
    case .postgres:
      let query = choices.map { choice in
        "("
          + Self.words(choice).map { word, isPrefix in
            let quoted = word.replacing("\\", with: "\\\\").replacing("'", with: "''")
            return "'\(quoted)'" + (isPrefix ? ":*" : "")
          }.joined(separator: " & ") + ")"
      }.joined(separator: " | ")
      return "lexemes @@ \(text(query))::tsquery"
    case .clickHouse:
      return "("
        + choices.map { choice in
          Self.words(choice).map { word, isPrefix in
            isPrefix
              ? "position(concat(' ', terms), \(text(" " + word))) > 0"
              : "hasToken(terms, \(text(word)))"
          }.joined(separator: " AND ")
        }.map { "(\($0))" }.joined(separator: " OR ") + ")"
    }
  }

  private static func words(_ term: HistorySearch.Term) -> [(word: String, isPrefix: Bool)] {
    term.words.enumerated().map { index, word in
      (RowWords.cut(word), term.isPrefix && index == term.words.count - 1)
    }
  }
}
