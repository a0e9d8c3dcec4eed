/// Told where rows of an `ActionLog` come about, for example to record them. Calls come in the middle of a change of
/// the log: an observer copies what it is given, and asks the log nothing.
package protocol ActionLogObserver: AnyObject {
  /// A new row. Its bytes are borrowed.
  ///
  /// - Parameters:
  ///   - row: the rows of a log are numbered in the order of arrival.
  ///   - receivedMs: our time, in ms since 1970.
  func added(
    _ row: RowID, _ json: UnsafeRawBufferPointer, from source: ActionSource, receivedMs: Int64)
  /// A known row has come on another channel, or with its id.
  func twin(of row: RowID, from source: ActionSource, actionID: Int?)
  /// A row has longer bytes now. They are borrowed.
  func replaced(_ row: RowID, _ json: UnsafeRawBufferPointer)
}
