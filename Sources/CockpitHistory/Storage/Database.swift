internal import CSQLite

/// Why SQLite refuses: its extended result code, and its words.
struct DatabaseFailure: Error, Hashable, Sendable {
  var code: Int32
  var message: String

  /// The primary result code.
  var primaryCode: Int32 { code & 0xFF }
  /// The file is damaged, or no database.
  var isDamage: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }
  var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }
  var isFull: Bool { primaryCode == SQLITE_FULL }
}

/// One connection to one file. Not thread-safe.
final class Database {
  /// How the file is opened.
  enum Access: Hashable, Sendable {
    /// To read and write; created if it is missing.
    case writing
    /// To read while another connection may write.
    case reading
    /// To read an immutable file: SQLite takes no lock, and the folder may be read-only.
    case immutable
  }

  private let handle: OpaquePointer
  private var statements: [String: Statement] = [:]

  init(_ path: String, for access: Access) throws(DatabaseFailure) {
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE
    flags |=
      access == .writing ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
    let suffix = access == .immutable ? "?immutable=1" : ""
    var opened: OpaquePointer?
    let code = sqlite3_open_v2("file:" + Self.escaped(path) + suffix, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) }
      sqlite3_close_v2(opened)
      throw DatabaseFailure(code: code, message: message ?? String(cString: sqlite3_errstr(code)))
    }
    handle = opened
    _ = csq_distrust(handle)
    sqlite3_busy_timeout(handle, access == .writing ? 2000 : 250)
  }

  deinit {
    statements.removeAll()
    sqlite3_close_v2(handle)
  }

  /// The path of a file URI: characters that have a meaning there, and those beyond ASCII, are percent-encoded.
  private static func escaped(_ path: String) -> String {
    var text = ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "?"): text += "%3f"
      case UInt8(ascii: "#"): text += "%23"
      case UInt8(ascii: "%"): text += "%25"
      case ..<0x80: text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += "%" + String(byte, radix: 16)
      }
    }
    return text
  }

  /// A name as an identifier of SQL.
  static func quoted(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Runs statements that give no rows.
  func run(_ sql: String) throws(DatabaseFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// A prepared statement, ready for new values. Each is prepared once for a connection.
  func statement(_ sql: String) throws(DatabaseFailure) -> Statement {
    if let statement = statements[sql] {
      statement.reset()
      return statement
    }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(
      handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    let statement = Statement(prepared, of: handle)
    statements[sql] = statement
    return statement
  }

  /// Runs one statement with whole numbers.
  func run(_ sql: String, _ values: Int64...) throws(DatabaseFailure) {
    let statement = try statement(sql)
    for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
    try statement.run()
  }

  /// The whole number in the first column of the first row; nil if there is none, or it is NULL.
  func number(_ sql: String, _ values: Int64...) throws(DatabaseFailure) -> Int64? {
    let statement = try statement(sql)
    for (index, value) in values.enumerated() { statement.bind(value, at: index + 1) }
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.int(0)
  }

  /// The text in the first column of the first row; nil if there is none.
  func text(_ sql: String) throws(DatabaseFailure) -> String? {
    let statement = try statement(sql)
    defer { statement.reset() }
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.text(0)
  }

  /// Runs the work in a write transaction, which is rolled back if it throws.
  func transaction(_ work: () throws(DatabaseFailure) -> Void) throws(DatabaseFailure) {
    try statement("BEGIN IMMEDIATE").run()
    do throws(DatabaseFailure) {
      try work()
      try statement("COMMIT").run()
    } catch {
      // After some errors SQLite has already rolled back.
      if sqlite3_get_autocommit(handle) == 0 { _ = sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
      throw error
    }
  }

  /// Gives back the memory of cached pages; they are read again when they are needed.
  func releaseCache() { sqlite3_db_release_memory(handle) }

  /// The number of rows that the last statement changed.
  var changes: Int { Int(sqlite3_changes(handle)) }

  private func failure(_ code: Int32) -> DatabaseFailure {
    DatabaseFailure(
      code: sqlite3_extended_errcode(handle) == SQLITE_OK ? code : sqlite3_extended_errcode(handle),
      message: String(cString: sqlite3_errmsg(handle)))
  }
}

/// A prepared statement. As in SQLite, parameters count from 1 and columns from 0.
final class Statement {
  private let handle: OpaquePointer
  private let database: OpaquePointer

  init(_ handle: OpaquePointer, of database: OpaquePointer) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ value: Int64, at index: Int) { sqlite3_bind_int64(handle, Int32(index), value) }

  func bind(_ value: Int64?, at index: Int) {
    if let value { bind(value, at: index) } else { sqlite3_bind_null(handle, Int32(index)) }
  }

  func bind(_ text: String, at index: Int) {
    var text = text
    text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        _ = csq_bind_text(handle, Int32(index), $0.baseAddress, UInt64($0.count))
      }
    }
  }

  /// Text, as its UTF-8 bytes.
  func bindText(_ bytes: [UInt8], at index: Int) {
    bytes.withUnsafeBufferPointer { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        _ = csq_bind_text(handle, Int32(index), $0.baseAddress, UInt64($0.count))
      }
    }
  }

  func bind(_ bytes: [UInt8]?, at index: Int) {
    if let bytes { bind(bytes, at: index) } else { sqlite3_bind_null(handle, Int32(index)) }
  }

  /// The bytes are copied.
  func bind(_ bytes: [UInt8], at index: Int) {
    bytes.withUnsafeBytes {
      // A null pointer would bind NULL.
      if let base = $0.baseAddress {
        _ = csq_bind_bytes(handle, Int32(index), base, UInt64($0.count))
      } else {
        sqlite3_bind_zeroblob(handle, Int32(index), 0)
      }
    }
  }

  /// Runs the statement to its end, and resets it.
  func run() throws(DatabaseFailure) {
    defer { reset() }
    while try step() {}
  }

  /// Advances to the next row; false at the end.
  func step() throws(DatabaseFailure) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      throw DatabaseFailure(
        code: sqlite3_extended_errcode(database), message: String(cString: sqlite3_errmsg(database))
      )
    }
    return false
  }

  func reset() { sqlite3_reset(handle) }

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  func int(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }

  func text(_ column: Int) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  func bytes(_ column: Int) -> [UInt8] { withBytes(column) { Array($0) } }

  /// The bytes of a column, valid until the next step.
  func withBytes<Value>(_ column: Int, _ work: (UnsafeRawBufferPointer) -> Value) -> Value {
    let start = sqlite3_column_blob(handle, Int32(column))
    let count = Int(sqlite3_column_bytes(handle, Int32(column)))
    return work(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
  }
}
