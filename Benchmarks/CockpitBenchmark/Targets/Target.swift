import Foundation

/// One row of the table of targets. The numbers are those of the project's design (T1 to T18); a
/// target that compares with several programs has a row for each.
struct Target {
  /// Which way a figure is good.
  enum Direction {
    case atMost, atLeast
  }

  /// Such as `T13`.
  let number: String
  let quantity: String
  let direction: Direction
  /// Not reaching it fails a review; nil where only a target is set.
  let floor: Double?
  /// What is advertised.
  let target: Double
  let unit: String
  let digits: Int

  init(
    _ number: String, _ quantity: String, _ direction: Direction, floor: Double?, target: Double,
    unit: String = "x", digits: Int = 2
  ) {
    self.number = number
    self.quantity = quantity
    self.direction = direction
    self.floor = floor
    self.target = target
    self.unit = unit
    self.digits = digits
  }

  /// How a figure stands.
  enum Verdict: String {
    case met
    case floor = "floor only"
    case missed = "**missed**"
  }

  func verdict(_ value: Double) -> Verdict {
    let isBetter = { (limit: Double) in direction == .atMost ? value <= limit : value >= limit }
    if isBetter(target) { return .met }
    return floor.map(isBetter) == true ? .floor : .missed
  }

  func text(_ limit: Double?) -> String {
    guard let limit else { return "-" }
    let sign = direction == .atMost ? "<=" : ">="
    let isWhole = limit == limit.rounded()
    let value = String(format: isWhole ? "%.0f" : "%.2f", limit)
    return "\(sign) \(value)\(unit.isEmpty ? "" : " \(unit)")"
  }
}

extension Target {
  static let jq = Target(
    "T1", "ingest with validation into the ring: times less CPU than `jq -c .kind`", .atLeast,
    floor: 5, target: 8, digits: 1)
  static let simdjson = Target(
    "T2", "the same: speed against a simdjson DOM parse of the same events", .atLeast, floor: 30,
    target: 45, unit: "%", digits: 0)
  static let lnavIngest = Target(
    "T3", "the same: times less CPU than headless lnav", .atLeast, floor: 4, target: 6, digits: 1)
  static let instructions = Target(
    "T4", "instructions per event of that path", .atMost, floor: 25_000, target: 14_000, unit: "",
    digits: 0)
  static let framing = Target(
    "T5", "instructions per event of framing alone", .atMost, floor: 8_000, target: 5_000, unit: "",
    digits: 0)
  static let retention = Target(
    "T6", "memory growth per raw byte kept", .atMost, floor: 1.25, target: 1.05, digits: 3)
  static let aboveRing = Target(
    "T7", "resident after 1 M events with the default ring, minus the ring", .atMost, floor: 40,
    target: 24, unit: "MB", digits: 1)
  static let flat = Target(
    "T7", "largest minus smallest resident size from 200 k to 1 M events (flat +-2 MB)", .atMost,
    floor: nil, target: 4, unit: "MB", digits: 2)
  static let compression = Target(
    "T8", "cold slabs compressed, of raw bytes", .atMost, floor: 0.6, target: 0.4)
  static let idleCPU = Target(
    "T9", "idle CPU, both streams, against `htop -d 30` side by side", .atMost, floor: 0.3,
    target: 0.1, digits: 3)
  static let wakeUps = Target(
    "T10", "voluntary wake-ups per second while idle", .atMost, floor: 5, target: 2, unit: "",
    digits: 1)
  static let firstPaint = Target(
    "T11", "CPU to the first complete frame against htop", .atMost, floor: 1.5, target: 0.8)
  static let fresh = Target(
    "T12", "resident size freshly started against lnav", .atMost, floor: 0.8, target: 0.55)
  static let bytesHtop = Target(
    "T13", "bytes, a row every 1.5 s, against `htop -d 30`", .atMost, floor: 0.5, target: 0.2,
    digits: 3)
  static let bytesBtop = Target(
    "T13", "the same against btop at 3 s", .atMost, floor: 0.15, target: 0.05, digits: 3)
  static let frameBytes = Target(
    "T14", "bytes per frame against a full redraw, 0.83 rows per frame (50 events/s at 60 Hz)",
    .atMost, floor: 0.15, target: 0.06, digits: 3)
  static let keyHtop = Target(
    "T15", "key to first byte, median, against htop", .atMost, floor: 2, target: 1)
  static let keyLnav = Target(
    "T15", "the same against lnav", .atMost, floor: 0.5, target: 0.2)
  static let keyLoadedHtop = Target(
    "T15", "against htop, at 1,000 events/s", .atMost, floor: 2, target: 1)
  static let keyLoaded = Target(
    "T16", "`?` until the help is there, at 1,000 events/s against idle", .atMost, floor: 4,
    target: 2)
  static let lost = Target(
    "T17", "events lost in 60 s at 1,000 per second", .atMost, floor: 0, target: 0, unit: "",
    digits: 0)
  static let floodBytes = Target(
    "T17", "bytes per second to the terminal meanwhile", .atMost, floor: 60_000, target: 30_000,
    unit: "", digits: 0)
  static let streaming = Target(
    "T18", "CPU per event of the streaming client against bare libcurl, a chunk per event", .atMost,
    floor: 2, target: 1.3)

  /// In the order of their numbers.
  static let all = [
    jq, simdjson, lnavIngest, instructions, framing, retention, aboveRing, flat, compression,
    idleCPU, wakeUps, firstPaint, fresh, bytesHtop, bytesBtop, frameBytes, keyHtop, keyLnav,
    keyLoadedHtop, keyLoaded, lost, floodBytes, streaming,
  ]
}
