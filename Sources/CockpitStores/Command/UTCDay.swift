/// The days by which the backend adds up costs.
enum UTCDay {
  /// Days since 1970-01-01, UTC, for a time in ms since 1970.
  static func number(ofMs ms: Int64) -> Int {
    Int(ms >= 0 ? ms / 86_400_000 : (ms - 86_399_999) / 86_400_000)
  }
}
