/// The ways on which the copies of a row have arrived.
package struct RowOrigins: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Live, on the activity stream.
  package static let activity = RowOrigins(rawValue: 1)
  /// Live, on the voice stream.
  package static let voice = RowOrigins(rawValue: 2)
  /// In a list of stored rows.
  package static let stored = RowOrigins(rawValue: 4)
}
