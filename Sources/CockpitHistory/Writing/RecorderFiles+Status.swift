internal import CockpitFiles
internal import LenientJSON

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// `status.json`: how the recorder is, for whoever does not run it.
extension RecorderFiles {
  /// Writes the status file every few seconds.
  func noteStatus(_ state: RecorderState) {
    guard abs(nowMs() - statusWrittenMs) >= Self.statusIntervalMs else { return }
    writeStatus(state)
  }

  func writeStatus(_ state: RecorderState) {
    guard isBegun else { return }
    statusWrittenMs = nowMs()
    let status = JSONValue.body([
      ("pid", .integer(getpid())), ("what", .string(settings.what)), ("bot", .string(settings.bot)),
      ("version", .string(settings.version)), ("since_ms", .integer(state.sinceMs)),
      ("written_ms", .integer(nowMs())), ("rows", .integer(state.rows)),
      ("documents", .integer(state.documents)), ("raw_bytes", .integer(state.rawBytes)),
      ("stored_bytes", .integer(state.storedBytes)), ("lost_rows", .integer(state.lostRows)),
      ("lost_records", .integer(state.lostRecords)), ("last_write_ms", .integer(state.lastWriteMs)),
      ("last_error", state.lastError.map(JSONValue.string)),
    ])
    do throws(FileError) {
      try AtomicFile.replace(folder + "/status.json", with: Array(status.serialized().utf8))
    } catch {
      lastProblem = error.description
    }
  }
}
