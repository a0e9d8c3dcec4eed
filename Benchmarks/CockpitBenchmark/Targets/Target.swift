import Foundation

/// A figure that must not get worse: one row of the table of budgets. The numbers are those of the
/// project's design; a budget that compares with several programs has a row for each.
struct Target {
  /// Which way a figure is good.
  enum Direction {
    case atMost, atLeast
  }

  /// Such as `T13`.
  let number: String
  let quantity: String
  let direction: Direction
  let limit: Double
  let unit: String
  let digits: Int

  init(
    _ number: String, _ quantity: String, _ direction: Direction, _ limit: Double,
    unit: String = "x", digits: Int = 2
  ) {
    self.number = number
    self.quantity = quantity
    self.direction = direction
    self.limit = limit
    self.unit = unit
    self.digits = digits
  }

  /// The verdict on a figure.
  enum Verdict: String {
    case met
    case missed = "**missed**"
  }

  func verdict(_ value: Double) -> Verdict {
    (direction == .atMost ? value <= limit : value >= limit) ? .met : .missed
  }

  /// Such as `<= 0.30 x`.
  var limitText: String {
    let sign = direction == .atMost ? "<=" : ">="
    let value = String(format: limit == limit.rounded() ? "%.0f" : "%.2f", limit)
    return "\(sign) \(value)\(unit.isEmpty ? "" : " \(unit)")"
  }
}

extension Target {
  static let jq = Target(
    "T1", "ingest with validation into the ring: times less CPU than `jq -c .kind`", .atLeast, 8,
    digits: 1)
  static let simdjson = Target(
    "T2", "the same: speed against a simdjson DOM parse of the same events", .atLeast, 45,
    unit: "%", digits: 0)
  static let instructions = Target(
    "T4", "instructions per event of that path", .atMost, 14_000, unit: "", digits: 0)
  static let retention = Target(
    "T6", "memory growth per raw byte kept", .atMost, 1.08, digits: 3)
  static let flat = Target(
    "T7", "largest minus smallest resident size from 200 k to 1 M events (flat +-2 MB)", .atMost, 4,
    unit: "MB")
  static let idleCPU = Target(
    "T9", "idle CPU, both streams, against `htop -d 30` side by side", .atMost, 0.15, digits: 3)
  static let wakeUps = Target(
    "T10", "voluntary wake-ups per second while idle", .atMost, 2, unit: "", digits: 1)
  static let firstPaint = Target(
    "T11", "time from the start to the complete first frame, against htop", .atMost, 0.8)
  static let fresh = Target("T12", "resident size freshly started against lnav", .atMost, 0.8)
  static let rowBytes = Target(
    "T13", "bytes to the terminal for a new row, one every 1.5 s", .atMost, 1_200, unit: "B",
    digits: 0)
  static let keyHtop = Target(
    "T15", "key to first byte, median, against htop", .atMost, 1.3)
  static let keyLoaded = Target(
    "T15", "key to first byte at 1,000 events/s, 99th percentile", .atMost, 8, unit: "ms")
  static let lost = Target(
    "T17", "events lost in 60 s at 1,000 per second", .atMost, 0, unit: "", digits: 0)
  static let tailJSON = Target(
    "T19", "`tail --json`: times less CPU than `jq -c .` on the same actions", .atLeast, 5,
    digits: 1)
  static let tailRaw = Target(
    "T20", "`tail --raw`: CPU against `tail --json` on the same events", .atMost, 1)
  static let status = Target(
    "T21", "`status`: CPU against `curl` on one route", .atMost, 2)
  static let widget = Target(
    "T21", "`widget`: CPU against `curl` on one route", .atMost, 2)
  static let answerKeys = Target(
    "T22", "key in an answer to the painted screen at 1,000 events/s, 99th percentile", .atMost,
    100, unit: "ms", digits: 0)
  static let recorderBurst = Target(
    "T23", "CPU of the recorder per row, 250 rows a transaction", .atMost, 30, unit: "us",
    digits: 1)
  static let recorderSingle = Target(
    "T23", "CPU of the recorder per row, one row a transaction", .atMost, 60, unit: "us",
    digits: 1)
  static let recorderInstructions = Target(
    "T24", "instructions per recorded row", .atMost, 200_000, unit: "", digits: 0)
  static let recorderDisk = Target(
    "T25", "bytes on the disk per byte of rows", .atMost, 0.2, digits: 3)
  static let recorderWritten = Target(
    "T26", "bytes written per byte of rows, 250 rows a transaction", .atMost, 1.6)
  static let historyOpen = Target(
    "T27", "open a history of a month, the slowest of five", .atMost, 300, unit: "ms", digits: 0)
  static let historySeek = Target(
    "T28", "2,000 rows before any time in it, 95th percentile", .atMost, 100, unit: "ms",
    digits: 0)
  static let historyWord = Target(
    "T29", "the first 50 rows with a word in it, the slowest of five", .atMost, 200, unit: "ms",
    digits: 0)

  /// In the order of their numbers.
  static let all = [
    jq, simdjson, instructions, retention, flat, idleCPU, wakeUps, firstPaint, fresh, rowBytes,
    keyHtop, keyLoaded, lost, tailJSON, tailRaw, status, widget, answerKeys,
    recorderBurst, recorderSingle, recorderInstructions, recorderDisk, recorderWritten, historyOpen,
    historySeek, historyWord,
  ]
}
