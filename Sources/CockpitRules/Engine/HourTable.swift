/// In which hours of the day the bot spoke, over recorded weeks: UTC hours, working days and weekends apart.
package struct HourTable: Hashable, Sendable {
  private struct Slot: Hashable, Sendable {
    /// Hours that were recorded completely, and those in which the bot spoke.
    var recorded = 0
    var spoken = 0
  }
  private var slots = [Slot](repeating: Slot(), count: 48)

  package static let hourMs: Int64 = 3_600_000

  package init() {}

  /// - Parameters:
  ///   - outputs: when the bot said something, ms since 1970, in any order.
  ///   - covered: what was recorded without a gap. Hours that are not wholly within one are left out.
  package init(outputs: some Sequence<Int64>, covered: [Range<Int64>]) {
    let spoken = Set(outputs.map(Self.hour))
    for range in covered {
      var hour = Self.hour(range.lowerBound + Self.hourMs - 1)
      while (hour + 1) * Self.hourMs <= range.upperBound {
        add(hour * Self.hourMs, hasSpoken: spoken.contains(hour))
        hour += 1
      }
    }
  }

  /// Counts one recorded hour.
  package mutating func add(_ timeMs: Int64, hasSpoken: Bool) {
    let place = Self.slot(timeMs)
    slots[place].recorded += 1
    if hasSpoken { slots[place].spoken += 1 }
  }

  /// How many hours of this kind were recorded, if the bot spoke in each of them; nil if it did not.
  package func neverSilent(at timeMs: Int64) -> Int? {
    let slot = slots[Self.slot(timeMs)]
    return slot.recorded > 0 && slot.spoken == slot.recorded ? slot.recorded : nil
  }

  /// Hours since 1970.
  static func hour(_ timeMs: Int64) -> Int64 {
    let hour = timeMs / hourMs
    return timeMs % hourMs < 0 ? hour - 1 : hour
  }

  private static func slot(_ timeMs: Int64) -> Int {
    let hour = hour(timeMs)
    let day = (hour - (hour % 24 + 24) % 24) / 24
    // 1970-01-01 was a Thursday.
    let weekday = ((day + 3) % 7 + 7) % 7
    return Int((hour % 24 + 24) % 24) + (weekday >= 5 ? 24 : 0)
  }
}
