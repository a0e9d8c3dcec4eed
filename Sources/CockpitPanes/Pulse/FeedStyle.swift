/// How the feed looks, where the program has to know it too.
package enum FeedStyle {
  /// New rows stand out for this long, in ms.
  package static let freshMs: UInt64 = 1000
}
