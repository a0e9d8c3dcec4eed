/// One connection to a PostgreSQL server. Blocks; used on one thread.
final class PostgresConnection {
  /// Why the server refuses: its SQLSTATE, and its words.
  struct Failure: Error, Hashable, CustomStringConvertible {
    /// Five characters; empty when the connection is lost.
    var state: String
    var description: String

    /// Whether the connection has to be made anew, or the server has no room now.
    var isRetryable: Bool {
      ["", "08", "40", "53", "57", "58"].contains(String(state.prefix(2))) || state == "55P03"
    }

    /// Whether no row is the cause: permissions, missing tables, another schema.
    var isClosed: Bool { ["0A", "28", "3D", "3F", "42"].contains(String(state.prefix(2))) }
  }

  let library: PostgresLibrary
  let handle: PostgresLibrary.Handle

  /// `CONNECTION_OK`, and what a result may be.
  private static let isConnected: CInt = 0
  private static let fine: Set<CInt> = [0, 1, 2]
  private static let copyIn: CInt = 4
  /// `PG_DIAG_SQLSTATE` and `PG_DIAG_MESSAGE_PRIMARY`.
  private static let stateField = CInt(UInt8(ascii: "C"))
  private static let messageField = CInt(UInt8(ascii: "M"))

  /// - Parameter dsn: as libpq takes it, `service=clanky` or a URI; passwords come from `~/.pgpass` or a service file.
  init(
    _ library: PostgresLibrary, dsn: String, connectSeconds: Int = 10
  ) throws(Failure) {
    self.library = library
    let options = [
      ("dbname", dsn), ("connect_timeout", "\(connectSeconds)"),
      ("application_name", "clanky-cockpit"),
      ("client_encoding", "UTF8"),
    ]
    let opened = Self.withTexts(options.map(\.0)) { keys in
      Self.withTexts(options.map(\.1)) { values in library.connect(keys, values, 1) }
    }
    guard let opened else { throw Failure(state: "", description: "there is no memory") }
    guard library.status(opened) == Self.isConnected else {
      let words = Self.line(library.errorMessage(opened))
      library.finish(opened)
      throw Failure(state: "", description: words)
    }
    handle = opened
    // libpq writes notices to standard error: that a partition is there already is none.
    try run("set client_min_messages to warning")
  }

  deinit { library.finish(handle) }

  /// C strings, with a null pointer behind them.
  private static func withTexts<Value>(
    _ texts: [String], _ work: (UnsafePointer<PostgresLibrary.Text?>) -> Value
  ) -> Value {
    var bytes: [CChar] = []
    var starts: [Int] = []
    for text in texts {
      starts.append(bytes.count)
      bytes += text.utf8CString
    }
    return bytes.withUnsafeBufferPointer { buffer in
      var pointers = starts.map { start in buffer.baseAddress.map { $0 + start } }
      pointers.append(nil)
      return pointers.withUnsafeBufferPointer { pointers in
        guard let base = pointers.baseAddress else { preconditionFailure("an array has a start") }
        return work(base)
      }
    }
  }

  private static func line(_ text: PostgresLibrary.Text?) -> String {
    let words = text.map { String(cString: $0) } ?? ""
    return String((words.split(separator: "\n").first ?? "the connection is lost").prefix(300))
  }

  /// Runs statements that give no rows.
  func run(_ sql: String) throws(Failure) {
    library.clear(try checked(library.execute(handle, sql)))
  }

  /// The rows of a statement, as text; NULL is empty.
  func rows(_ sql: String, _ parameters: [String], columns: Int) throws(Failure) -> [[String]] {
    let library = library
    let handle = handle
    let result = Self.withTexts(parameters) {
      library.executeParameters(handle, sql, CInt(parameters.count), nil, $0, nil, nil, 0)
    }
    let checked = try checked(result)
    defer { library.clear(checked) }
    return (0..<library.rowCount(checked)).map { row in
      (0..<CInt(columns)).map { library.value(checked, row, $0).map { String(cString: $0) } ?? "" }
    }
  }

  /// `COPY … FROM STDIN` with data in the text format.
  func copy(_ sql: String, _ data: [UInt8]) throws(Failure) {
    let start = try checked(library.execute(handle, sql), Self.copyIn)
    library.clear(start)
    var at = 0
    while at < data.count {
      let count = min(data.count - at, 1 << 20)
      let sent = data.withUnsafeBytes { bytes in
        bytes.baseAddress.map {
          library.putCopy(handle, ($0 + at).assumingMemoryBound(to: CChar.self), CInt(count))
        } ?? -1
      }
      guard sent == 1 else {
        throw Failure(state: "", description: Self.line(library.errorMessage(handle)))
      }
      at += count
    }
    guard library.endCopy(handle, nil) == 1 else {
      throw Failure(state: "", description: Self.line(library.errorMessage(handle)))
    }
    var failure: Failure?
    while let result = library.nextResult(handle) {
      do throws(Failure) {
        library.clear(try checked(result))
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  func checked(
    _ result: PostgresLibrary.Handle?, _ wanted: CInt? = nil
  ) throws(Failure) -> PostgresLibrary.Handle {
    guard let result else {
      throw Failure(state: "", description: Self.line(library.errorMessage(handle)))
    }
    let status = library.resultStatus(result)
    if wanted.map({ $0 == status }) ?? Self.fine.contains(status) { return result }
    let state = library.resultField(result, Self.stateField).map { String(cString: $0) } ?? ""
    // The primary message alone: details repeat rows.
    let words = library.resultField(result, Self.messageField).map { String(cString: $0) }
    library.clear(result)
    throw Failure(
      state: state,
      description: String((words ?? Self.line(library.errorMessage(handle))).prefix(300)))
  }
}
