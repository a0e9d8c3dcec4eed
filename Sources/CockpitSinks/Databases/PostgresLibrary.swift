#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// libpq, opened when the first connection is made: the program neither starts slower for it nor needs it.
///
/// `@unchecked Sendable`: the functions are looked up in `init` and never change; libpq's are safe on threads that share
/// no connection.
final class PostgresLibrary: @unchecked Sendable {
  typealias Handle = OpaquePointer
  typealias Text = UnsafePointer<CChar>

  typealias ConnectFunction =
    @convention(c) (UnsafePointer<Text?>, UnsafePointer<Text?>, CInt) -> Handle?
  typealias StatusFunction = @convention(c) (Handle?) -> CInt
  typealias ErrorMessageFunction = @convention(c) (Handle?) -> Text?
  typealias FinishFunction = @convention(c) (Handle?) -> Void
  typealias ExecuteFunction = @convention(c) (Handle?, Text) -> Handle?
  typealias ExecuteParametersFunction =
    @convention(c) (
      Handle?, Text, CInt, UnsafePointer<UInt32>?, UnsafePointer<Text?>?, UnsafePointer<CInt>?,
      UnsafePointer<CInt>?, CInt
    ) -> Handle?
  typealias ResultStatusFunction = @convention(c) (Handle?) -> CInt
  typealias ResultFieldFunction = @convention(c) (Handle?, CInt) -> Text?
  typealias RowCountFunction = @convention(c) (Handle?) -> CInt
  typealias ValueFunction = @convention(c) (Handle?, CInt, CInt) -> Text?
  typealias ClearFunction = @convention(c) (Handle?) -> Void
  typealias PutCopyFunction = @convention(c) (Handle?, UnsafePointer<CChar>, CInt) -> CInt
  typealias EndCopyFunction = @convention(c) (Handle?, Text?) -> CInt
  typealias NextResultFunction = @convention(c) (Handle?) -> Handle?
  typealias LengthFunction = @convention(c) (Handle?, CInt, CInt) -> CInt
  typealias CancelFunction = @convention(c) (Handle?, UnsafeMutablePointer<CChar>?, CInt) -> CInt

  let connect: ConnectFunction
  let status: StatusFunction
  let errorMessage: ErrorMessageFunction
  let finish: FinishFunction
  let execute: ExecuteFunction
  let executeParameters: ExecuteParametersFunction
  let resultStatus: ResultStatusFunction
  let resultField: ResultFieldFunction
  let rowCount: RowCountFunction
  let value: ValueFunction
  let clear: ClearFunction
  let putCopy: PutCopyFunction
  let endCopy: EndCopyFunction
  let nextResult: NextResultFunction
  let columnCount: StatusFunction
  let valueLength: LengthFunction
  let isNull: LengthFunction
  let makeCancel: NextResultFunction
  let cancel: CancelFunction
  let freeCancel: ClearFunction

  private static let names = ["libpq.so.5", "libpq.5.dylib"]

  /// Opens the library.
  init() throws(SinkProblem) {
    guard let library = Self.names.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first
    else {
      throw SinkProblem("libpq is not installed; install libpq5 (Debian) or libpq (Homebrew)")
    }
    func find<Function>(_ name: String, _ type: Function.Type) throws(SinkProblem) -> Function {
      guard let symbol = dlsym(library, name) else {
        throw SinkProblem("libpq has no \(name); install a newer one")
      }
      return unsafeBitCast(symbol, to: type)
    }
    connect = try find("PQconnectdbParams", ConnectFunction.self)
    status = try find("PQstatus", StatusFunction.self)
    errorMessage = try find("PQerrorMessage", ErrorMessageFunction.self)
    finish = try find("PQfinish", FinishFunction.self)
    execute = try find("PQexec", ExecuteFunction.self)
    executeParameters = try find("PQexecParams", ExecuteParametersFunction.self)
    resultStatus = try find("PQresultStatus", ResultStatusFunction.self)
    resultField = try find("PQresultErrorField", ResultFieldFunction.self)
    rowCount = try find("PQntuples", RowCountFunction.self)
    value = try find("PQgetvalue", ValueFunction.self)
    clear = try find("PQclear", ClearFunction.self)
    putCopy = try find("PQputCopyData", PutCopyFunction.self)
    endCopy = try find("PQputCopyEnd", EndCopyFunction.self)
    nextResult = try find("PQgetResult", NextResultFunction.self)
    columnCount = try find("PQnfields", StatusFunction.self)
    valueLength = try find("PQgetlength", LengthFunction.self)
    isNull = try find("PQgetisnull", LengthFunction.self)
    makeCancel = try find("PQgetCancel", NextResultFunction.self)
    cancel = try find("PQcancel", CancelFunction.self)
    freeCancel = try find("PQfreeCancel", ClearFunction.self)
  }
}
