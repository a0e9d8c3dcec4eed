/// The rows that earlier runs of the recorder have written. After each start the backend gives its newest rows again;
/// those that are on record already are not written twice.
///
/// Used on the recorder's thread only.
final class EarlierRows {
  /// What identifies a row apart from its id, which a row of a stream may not have yet. Two rows can share all of it, so
  /// each row on record stands for one row of this run.
  private struct Key: Hashable {
    var atMs: Int64
    var kind: String
    var event: String?
    var guild: String?
    var channel: String?
    var person: String?
    var session: String?
  }

  private let folder: String
  private let days: [DayName]
  /// The first number of this run: earlier rows have smaller ones.
  private let base: Int64
  /// The newest time of an earlier row, in ms since 1970; newer rows are new.
  private let newestMs: Int64
  private var loaded: Set<Int64> = []
  private var rows: [Key: [Int64]] = [:]
  /// The earlier rows for which rows of this run stand, by the numbers of the latter.
  private var known: [Int64: Int64] = [:]

  /// Rows are read for stretches of so long, in ms.
  private static let stretchMs: Int64 = 600_000
  /// Files of the days before the newest ones are not asked for the newest time.
  private static let newestDays = 3

  init(_ days: [DayName], in folder: String, before base: Int64) {
    self.days = days
    self.folder = folder
    self.base = base
    newestMs =
      days.suffix(Self.newestDays).compactMap { day in
        let found = Result { () throws(DatabaseFailure) in
          try Database(folder + "/" + day.fileName, for: .reading)
            .number("SELECT max(at_ms) FROM row WHERE seq < ?", base)
        }
        // An unreadable file has nothing to compare with.
        return (try? found.get()) ?? nil
      }.max() ?? .min
  }

  /// The number of the earlier row that is this one; nil if it is new. Each earlier row is given once.
  func take(_ columns: RowColumns, as number: Int64) -> Int64? {
    // A batch whose writing failed comes again.
    if let earlier = known[number] { return earlier }
    guard columns.atMs <= newestMs else { return nil }
    load(columns.atMs)
    let key = Key(
      atMs: columns.atMs, kind: columns.kind, event: columns.event, guild: columns.guild,
      channel: columns.channel, person: columns.person, session: columns.session)
    guard let earlier = rows[key]?.popLast() else { return nil }
    known[number] = earlier
    return earlier
  }

  /// The earlier row for which a row of this run stands.
  func earlier(_ number: Int64) -> Int64? { known[number] }

  private func load(_ atMs: Int64) {
    let stretch = atMs / Self.stretchMs
    guard loaded.insert(stretch).inserted else { return }
    let from = stretch * Self.stretchMs
    // A row stands in the file of the day on which it came, which is its own or a later one; clocks may differ.
    let first = DayName(ms: from - DayName.msPerDay).day
    for day in days where day.day >= first {
      do throws(DatabaseFailure) {
        try read(day, from: from)
      } catch {
        // Without that file its rows may be written again, which is better than losing new ones.
        continue
      }
    }
  }

  private func read(_ day: DayName, from: Int64) throws(DatabaseFailure) {
    // Not kept open: an open file that is removed still takes its room.
    let file = try Database(folder + "/" + day.fileName, for: .reading)
    let found = try file.statement(
      """
      SELECT r.seq, r.at_ms, k.text, e.text, g.text, c.text, p.text, s.text FROM row r
      LEFT JOIN name k ON k.id = r.kind LEFT JOIN name e ON e.id = r.event
      LEFT JOIN name g ON g.id = r.guild LEFT JOIN name c ON c.id = r.channel
      LEFT JOIN name p ON p.id = r.person LEFT JOIN name s ON s.id = r.session
      WHERE r.at_ms >= ? AND r.at_ms < ? AND r.seq < ? ORDER BY r.seq DESC
      """)
    found.bind(from, at: 1)
    found.bind(from + Self.stretchMs, at: 2)
    found.bind(base, at: 3)
    defer { found.reset() }
    func text(_ column: Int) -> String? { found.isNull(column) ? nil : found.text(column) }
    while try found.step() {
      let key = Key(
        atMs: found.int(1), kind: text(2) ?? "", event: text(3), guild: text(4), channel: text(5),
        person: text(6), session: text(7))
      rows[key, default: []].append(found.int(0))
    }
  }
}
