/// Why a history cannot be read or written, as a sentence for the user without a full stop.
package struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// There is no such file or folder.
    case missing
    /// The file is no history, or too damaged for this call.
    case damaged
    /// A later version of the program wrote it.
    case newer
    /// Another process has locked the file for now.
    case busy
    /// The disk or the system reports an error.
    case disk
    /// A history cannot be kept in this place.
    case refused
    /// The database with the history does not answer.
    case unreachable
    /// A newer request cancelled the query.
    case cancelled
  }

  package var reason: Reason
  package var description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
