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
    func number(_ value: some BinaryInteger) -> JSONValue { .number(JSONNumber(text: "\(value)")) }
    let status = JSONValue.body([
      ("pid", number(getpid())), ("what", .string(settings.what)), ("bot", .string(settings.bot)),
      ("version", .string(settings.version)), ("since_ms", number(state.sinceMs)),
      ("written_ms", number(nowMs())), ("rows", number(state.rows)),
      ("documents", number(state.documents)), ("raw_bytes", number(state.rawBytes)),
      ("stored_bytes", number(state.storedBytes)), ("lost_rows", number(state.lostRows)),
      ("lost_records", number(state.lostRecords)), ("last_write_ms", number(state.lastWriteMs)),
      ("last_error", state.lastError.map(JSONValue.string)),
    ])
    do throws(FileError) {
      try AtomicFile.replace(folder + "/status.json", with: Array(status.serialized().utf8))
    } catch {
      lastProblem = error.description
    }
  }
}
