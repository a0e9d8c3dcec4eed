import Foundation

/// Resident memory and open descriptors of a process over hours.
struct ResourceTrack {
  let name: String
  let processID: pid_t
  /// Seconds since the start, bytes, descriptors (nil unless run as root).
  private var samples: [(at: Double, resident: Double, descriptors: Int?)] = []

  init(_ name: String, _ processID: pid_t) {
    self.name = name
    self.processID = processID
  }

  mutating func sample(at seconds: Double) {
    guard let resident = ProcessFigures.residentBytes(processID) else { return }
    samples.append((seconds, Double(resident), ProcessFigures.descriptors(processID)))
  }

  /// The result after a warm-up.
  struct Summary {
    /// MB at the end of the warm-up and at the end: medians of the first and last eighth.
    let first, last: Double
    /// MB per hour: the slope of the line through all samples.
    let slope: Double
    /// nil if they could not be counted.
    let descriptors: ClosedRange<Int>?
  }

  /// nil if there are too few samples.
  func summary(after warmUp: Double) -> Summary? {
    let kept = samples.filter { $0.at >= warmUp }
    let eighth = kept.count / 8
    guard eighth > 0 else { return nil }
    let counts = kept.compactMap(\.descriptors)
    let hours = kept.map { $0.at / 3600 }
    let sizes = kept.map { $0.resident / 1e6 }
    let count = Double(kept.count)
    let (meanX, meanY) = (hours.reduce(0, +) / count, sizes.reduce(0, +) / count)
    let product = zip(hours, sizes).reduce(0) { $0 + ($1.0 - meanX) * ($1.1 - meanY) }
    let square = hours.reduce(0) { $0 + ($1 - meanX) * ($1 - meanX) }
    return Summary(
      first: Spread(Array(sizes.prefix(eighth))).median,
      last: Spread(Array(sizes.suffix(eighth))).median, slope: square > 0 ? product / square : 0,
      descriptors: counts.min().flatMap { low in counts.max().map { low...$0 } })
  }
}
