extension StringProtocol where SubSequence == Substring {
  /// The text behind a prefix; all of it where it begins otherwise. Compares UTF-8, as `utf8` views do:
  /// the library's `trimmingPrefix` is made for any collection of anything and several times slower,
  /// for each row of the feed.
  package func without(prefix: String) -> Substring {
    guard utf8.starts(with: prefix.utf8) else { return self[...] }
    return self[utf8.index(startIndex, offsetBy: prefix.utf8.count)...]
  }
}
