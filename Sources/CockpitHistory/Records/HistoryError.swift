/// Why a history cannot be read or written, as a sentence for the user without a full stop.
package struct HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    /// There is no such file or folder.
    case missing
    /// The file is no history, or it is damaged beyond what this call can do without.
    case damaged
    /// A later version of the program wrote it.
    case newer
    /// Another process is in the way for now.
    case busy
    /// The disk or the system refuses.
    case disk
    /// Not a place where a history can be kept.
    case refused
  }

  package var reason: Reason
  package var description: String

  package init(_ reason: Reason, _ description: String) {
    self.reason = reason
    self.description = description
  }
}
