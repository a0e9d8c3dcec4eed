import ClankyWire
import CockpitDomain
import Networking

/// A source beside the link, as CONTRIBUTING.md describes one: rows of a file, one JSON object a line, oldest
/// first. The first comes at once, each other one as long after it as its time says.
@MainActor
final class FileSource: Source {
  private struct Row {
    var json: [UInt8]
    /// In ms since 1970; nil for a row that cannot be read.
    var timeMs: Int64?
  }

  private let rows: [Row]
  private let clock: any LinkClock
  private weak var sink: (any SourceSink)?
  /// The next row.
  private var next = 0
  /// Calls `play`; nil if the source is stopped or has no more rows.
  private var timer: (any LinkTimer)?
  private var refusals: [Refusal] = []
  private(set) var status = SourceStatus()
  /// Whether the sink knows from when on no row is missing.
  private var isProven = false

  /// - Parameter lines: the bytes of the file. A line that is no row goes to the sink, which counts it.
  init(_ lines: [UInt8], clock: any LinkClock) {
    self.clock = clock
    rows = lines.split(separator: UInt8(ascii: "\n")).map { line in
      let json = Array(line)
      // Reads a row in either shape of the wire.
      let scan = json.withUnsafeBytes { bytes in try? ActionScanner.scan(bytes) }
      return Row(json: json, timeMs: scan?.timeMs)
    }
  }

  func start(into sink: any SourceSink) {
    guard timer == nil else { return }
    self.sink = sink
    // Not within the call: the caller is not ready for rows yet.
    timer = clock.schedule(afterNs: 0) { [weak self] in self?.play() }
  }

  func stop() {
    timer?.cancel()
    timer = nil
    for refusal in refusals { refusal.cancel() }
    refusals = []
    end()
  }

  private func end() {
    changeStatus {
      $0.overall = .stopped
      $0[.activity].state = .stopped
    }
  }

  /// Gives the sink the next row, and waits for the one after it.
  private func play() {
    timer = nil
    guard next < rows.count else { return end() }
    let row = rows[next]
    next += 1
    timer = clock.schedule(afterNs: pauseNs(after: row)) { [weak self] in self?.play() }
    changeStatus {
      $0.overall = .live
      $0[.activity].state = .live
      $0[.activity].lastByteAtNs = clock.nowNs
      // "Now" on the screen is the time of the rows, and ages are as they were then.
      if let timeMs = row.timeMs { $0.skewMs = Int(timeMs - clock.wallMs) }
    }
    // The sink may have stopped it.
    guard timer != nil else { return }
    row.json.withUnsafeBytes { sink?.receive(.row($0, from: .activity), at: ReceiveTime(clock)) }
    // From its first row on, a file has all: without this the counts of the screen have no window.
    guard !isProven, let timeMs = row.timeMs else { return }
    isProven = true
    sink?.receive(.proven(RowClaim(fromMs: timeMs)), at: ReceiveTime(clock))
  }

  private func pauseNs(after row: Row) -> UInt64 {
    guard next < rows.count, let now = row.timeMs, let then = rows[next].timeMs else { return 0 }
    return Nanoseconds.milliseconds(UInt64(max(0, then - now)))
  }

  private func changeStatus(_ change: (inout SourceStatus) -> Void) {
    let before = status
    change(&status)
    if status != before { sink?.receive(.status(status), at: ReceiveTime(clock)) }
  }

  func retryNow() {}
  func tick() {}
  func reconcileNow() {}
  func fetchHistory(_ request: HistoryRequest) {}

  // MARK: Requests

  /// A request that fails soon.
  private final class Refusal: RestHandle {
    var timer: (any LinkTimer)?
    func cancel() { timer?.cancel() }
  }

  @discardableResult
  func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    let refusal = Refusal()
    refusal.timer = clock.schedule(afterNs: 0) { [weak self, weak refusal] in
      self?.refusals.removeAll { $0 === refusal }
      completion(.failure(RestFailure(failure: .notClanky(.otherJSON), mayHaveArrived: false)))
    }
    refusals.append(refusal)
    return refusal
  }
}
