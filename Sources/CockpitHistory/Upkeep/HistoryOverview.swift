internal import CockpitFiles
internal import LenientJSON

/// What a history holds, for `history status`.
package struct HistoryOverview: Sendable {
  /// One day file. Times are milliseconds since 1970.
  package struct Day: Hashable, Sendable {
    /// Such as `2026-11-24.db`.
    package var name: String
    package var bytes: Int
    package var rows = 0
    package var documents = 0
    /// Bytes of the rows before they were compressed.
    package var rawBytes = 0
    package var firstMs: Int64?
    package var lastMs: Int64?
    /// Whether a pin protects it from retention.
    package var isPinned = false
    /// Why it cannot be read, or only in part.
    package var problem: String?
  }

  package var folder: String
  /// Whose it is; nil in folders of former versions until a recorder runs.
  package var bot: HistoryBot?
  /// Oldest first.
  package var days: [Day]
  package var pins: [HistoryNotes.Pin]
  /// The id of the process that records now; nil if there is none.
  package var recorder: Int?
  /// The status file of the last recorder: a JSON object.
  package var status: [UInt8]?
  /// Bytes free on the volume, and those that the recorder leaves free.
  package var freeBytes: Int?
  package var reserveBytes: Int?

  /// Reads what is there.
  package static func read(_ folder: String) throws(HistoryError) -> HistoryOverview {
    let files = try Retention.files(in: folder)
    let pool = ReaderPool(folder)
    var days: [Day] = []
    for file in files {
      let path = folder + "/" + file.name.fileName
      var day = Day(name: file.name.fileName, bytes: file.bytes, isPinned: file.isPinned)
      let found = try pool.with(path) { reader throws(DatabaseFailure) in
        var found = day
        found.rows = Int(try reader.database.number("SELECT count(*) FROM row") ?? 0)
        found.documents = Int(try reader.database.number("SELECT count(*) FROM document") ?? 0)
        found.rawBytes = Int(try reader.database.number("SELECT sum(length) FROM row") ?? 0)
        let span = try reader.span()
        found.firstMs = span?.lowerBound
        found.lastMs = span?.upperBound
        return found
      }
      day = found ?? day
      day.problem = pool.damage.damage.files[path]
      days.append(day)
    }
    let status = Result { () throws(FileError) in try SafeFile.read(folder + "/status.json") }
    let space = HistoryFiles.space(folder)
    return HistoryOverview(
      folder: folder, bot: HistoryBot.read(folder), days: days,
      pins: try HistoryNotes.pins(in: folder),
      recorder: HistoryLock.owner(of: folder),
      status: (try? status.get()) ?? nil, freeBytes: space?.free,
      reserveBytes: space.map { Retention.reserve(total: $0.total) })
  }

  /// When the oldest recorded day began, in ms since 1970.
  package static func oldestDayMs(in folder: String) -> Int64? {
    (HistoryFiles.days(in: folder) ?? []).first.map { $0.day * DayName.msPerDay }
  }

  /// The histories in a folder of histories: their folders, sorted.
  package static func bots(in folder: String) -> [String] {
    return (HistoryFiles.names(in: folder) ?? []).filter {
      !$0.hasPrefix(".") && !(HistoryFiles.days(in: "\(folder)/\($0)") ?? []).isEmpty
    }
    .sorted()
  }
}
