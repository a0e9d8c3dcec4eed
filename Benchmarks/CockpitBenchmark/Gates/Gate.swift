/// A count that must not grow unnoticed. Counts and sizes only, because times depend on the
/// machine's load.
struct Gate {
  /// The target it guards, such as `T4`, and the key in the baseline.
  let number: String
  let quantity: String
  let digits: Int
  /// Tolerated excess over the recorded value: the larger of the two.
  let relative: Double
  let absolute: Double
  /// Why so much; recorded with the value.
  let why: String
  /// Whether a second measurement may be lower because the machine is in another mood.
  let isMoody: Bool

  func allowed(above value: Double) -> Double { max(value * (1 + relative), value + absolute) }

  static let instructions = Gate(
    number: "T4", quantity: "instructions per event, bytes to ring and stores", digits: 0,
    relative: 0.15, absolute: 0,
    why: "the same each time; another libc or processor copies memory in other instructions",
    isMoody: false)
  static let framing = Gate(
    number: "T5", quantity: "instructions per event, framing alone", digits: 0, relative: 0.15,
    absolute: 0, why: "as T4", isMoody: false)
  static let retention = Gate(
    number: "T6", quantity: "memory growth per raw byte of 100,000 kept actions", digits: 3,
    relative: 0.02, absolute: 0, why: "pages of the allocator: 0.1 % from run to run", isMoody: true
  )
  static let aboveRing = Gate(
    number: "T7", quantity: "MB resident above the ring after 400,000 actions (of 1 M)", digits: 1,
    relative: 0, absolute: 10, why: "the runtime's own memory differs by some MB between machines",
    isMoody: true)
  static let flat = Gate(
    number: "T7b", quantity: "MB between the sizes from 200,000 to 400,000 actions (of 1 M)",
    digits: 2, relative: 0, absolute: 2,
    why: "a tenth of what a leak of 100 B an action would show; the target itself is 4 MB",
    isMoody: true)
  static let wakeUps = Gate(
    number: "T10", quantity: "voluntary wake-ups per second, quiet backend, 20 s", digits: 1,
    relative: 0.25, absolute: 2.4,
    why: "a busy machine splits what comes together; a timer that polls shows as 4 or more",
    isMoody: true)
  static let rowBytes = Gate(
    number: "T13", quantity: "bytes per 3 s, a row every 1.5 s, 120x40, 24 s", digits: 0,
    relative: 0.6, absolute: 150,
    why: "which ages change in the window, and whether two rows share a frame", isMoody: true)
  static let frameBytes = Gate(
    number: "T14", quantity: "bytes per frame, feed scrolling at 8.3 rows per second, 120x40",
    digits: 0, relative: 0.6, absolute: 60,
    why: "a late frame carries two rows instead of one", isMoody: true)
  static let recorded = Gate(
    number: "T24", quantity: "instructions per recorded row", digits: 0, relative: 0.2,
    absolute: 0, why: "as T4; and the recorder's thread waits for the other in a loop",
    isMoody: true)
  static let recordedDisk = Gate(
    number: "T25", quantity: "bytes on the disk per byte of 20,000 rows", digits: 3,
    relative: 0.05, absolute: 0, why: "another release of SQLite or zstd packs otherwise",
    isMoody: false)
  static let recordedWritten = Gate(
    number: "T26", quantity: "bytes written per byte of 20,000 rows, 250 a transaction", digits: 2,
    relative: 0.15, absolute: 0, why: "a busy machine divides what comes together", isMoody: true)

  static let all = [
    instructions, framing, retention, aboveRing, flat, wakeUps, rowBytes, frameBytes, recorded,
    recordedDisk, recordedWritten,
  ]
}
