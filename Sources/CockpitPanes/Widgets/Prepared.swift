/// Values that take too long to make for every frame. `prepare` keeps them, before a frame is drawn; reading
/// keeps nothing: a value that was not prepared is made for the reader alone.
struct Prepared<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var entries: [Key: (value: Value, use: Int)] = [:]
  private var clock = 0
  /// Maximum number of cached values.
  private let limit: Int

  init(limit: Int = 1) { self.limit = limit }

  func value(_ key: Key, _ make: () -> Value) -> Value { entries[key]?.value ?? make() }

  mutating func prepare(_ key: Key, _ make: () -> Value) {
    if let entry = entries[key] {
      guard entry.use != clock else { return }
      clock += 1
      entries[key]?.use = clock
      return
    }
    if entries.count >= limit, let oldest = entries.min(by: { $0.value.use < $1.value.use })?.key {
      entries[oldest] = nil
    }
    clock += 1
    entries[key] = (make(), clock)
  }
}
