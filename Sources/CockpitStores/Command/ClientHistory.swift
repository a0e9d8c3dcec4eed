/// Events of this program: connections lost and made, gaps filled, changing requests, rejections. A
/// ring of the newest entries.
package struct ClientHistory: Hashable, Sendable {
  package struct Entry: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, CaseIterable { case info, warning, error }

    /// ms since 1970, on this machine's clock.
    package var atMs: Int64
    package var severity: Severity
    /// One line; it may hold words of the backend and is not sanitised.
    package var text: String

    package init(atMs: Int64, severity: Severity, text: String) {
      self.atMs = atMs
      self.severity = severity
      self.text = text
    }
  }

  /// Entries that are kept.
  package static let capacity = 500
  /// Oldest first.
  package private(set) var entries: [Entry] = []

  package init() {}

  package mutating func append(_ entry: Entry) {
    if entries.count >= Self.capacity { entries.removeFirst(entries.count - Self.capacity + 1) }
    entries.append(entry)
  }
}
