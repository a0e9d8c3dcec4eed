/// Display constants of the feed that the program needs too.
package enum FeedStyle {
  /// New rows stand out for this long, in ms.
  package static let freshMs: UInt64 = 1000
}
