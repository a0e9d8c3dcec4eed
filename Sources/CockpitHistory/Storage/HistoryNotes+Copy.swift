internal import LenientJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The pins in day files: a copy that the recorder writes, for the day on which `notes.db` is damaged.
extension HistoryNotes {
  /// The pins as the value of `meta.pins`.
  static func copy(_ pins: [Pin]) -> String {
    return JSONValue.array(
      pins.map { .array([.integer($0.fromMs), .integer($0.toMs), .string($0.note)]) }
    ).serialized()
  }

  private static func pins(copied text: String) -> [Pin]? {
    guard let list = (try? JSONValue.parse(Array(text.utf8)))?.array else { return nil }
    return list.compactMap { entry in
      guard let parts = entry.array, parts.count == 3, let from = parts[0].int,
        let to = parts[1].int
      else { return nil }
      return Pin(id: 0, fromMs: Int64(from), toMs: Int64(to), note: parts[2].string ?? "")
    }
  }

  /// Sets a damaged file of notes aside and reads the pins back from their copy in the newest day file that has one.
  /// Without a copy nothing is done: no day file is removed while the pins are unknown.
  ///
  /// - Parameter suffix: of the new name of the damaged file.
  /// - Returns: what was done, in words; nil if nothing is damaged.
  static func recover(_ folder: String, suffix: String) throws(HistoryError) -> String? {
    let path = folder + "/" + fileName
    do throws(HistoryError) {
      _ = try pins(in: folder)
      _ = try marks(in: folder)
      return nil
    } catch {
      guard error.reason == .damaged else { return nil }
    }
    let days = HistoryFiles.days(in: folder) ?? []
    let copies = days.reversed().lazy.compactMap { day -> [Pin]? in
      let found = Result { () throws(DatabaseFailure) in
        try Database(folder + "/" + day.fileName, for: .reading)
          .text("SELECT value FROM meta WHERE key = 'pins'")
      }
      return ((try? found.get()) ?? nil).flatMap { pins(copied: $0) }
    }
    guard let known = copies.first else { return nil }
    let aside = fileName + ".broken-" + suffix
    guard rename(path, folder + "/" + aside) == 0 else { return nil }
    for extra in ["-wal", "-shm", "-journal"] { unlink(path + extra) }
    for pin in known {
      try self.pin(pin.fromMs...max(pin.fromMs, pin.toMs), note: pin.note, in: folder)
    }
    return
      "\(fileName) was damaged and is set aside as \(aside): \(known.count) pins were read back, its marks are lost"
  }
}
