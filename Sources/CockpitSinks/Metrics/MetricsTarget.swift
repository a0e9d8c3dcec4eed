internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The newest text of a bot's metrics: made by its sink, served by the endpoint.
package final class MetricsPage: Sendable {
  private let text = Mutex("")

  package init() {}

  package func set(_ new: String) { text.withLock { $0 = new } }
  package var current: String { text.withLock { $0 } }
}

/// Adds rows up to metrics, and writes them into a file every 15 s, for the endpoint every 2 s.
final class MetricsTarget: SinkTarget {
  private var counts = MetricCounts()
  private let file: String?
  private let page: MetricsPage?
  private let bot: String
  private let live: LiveFigures
  private var writtenMs: Int64?

  /// How often the file is written.
  static let intervalMs: Int64 = 15_000

  /// - Parameters:
  ///   - file: replaced as a whole; nil for none.
  ///   - page: what the endpoint serves; nil for none.
  init(file: String?, page: MetricsPage?, bot: String, live: LiveFigures) {
    self.file = file
    self.page = page
    self.bot = bot
    self.live = live
  }

  func begin(state: String) { counts = MetricCounts(json: state) }
  var state: String { counts.json }

  func isDue(nowMs: Int64) -> Bool {
    page?.set(text)
    return file != nil && (writtenMs.map { abs(nowMs - $0) >= Self.intervalMs } ?? true)
  }

  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
    for row in rows { counts.add(row) }
    page?.set(text)
    guard isDue(nowMs: nowMs) else { return .accepted() }
    return write(nowMs)
  }

  var wantsIncidents: Bool { true }

  func report(_ incidents: ArraySlice<SinkIncident>, nowMs: Int64) -> SinkAnswer {
    for incident in incidents { counts.add(incident) }
    page?.set(text)
    return .accepted()
  }

  func finish(nowMs: Int64) -> SinkAnswer { file == nil ? .accepted() : write(nowMs) }

  private var text: String { MetricText.page(counts, gauges: live.now.gauges, bot: bot) }

  /// A file that cannot be written does not hold the rows back: they are counted, and the next attempt has them.
  private func write(_ nowMs: Int64) -> SinkAnswer {
    guard let file else { return .accepted() }
    writtenMs = nowMs
    guard let error = Self.replace(file, with: Array(text.utf8)) else { return .accepted() }
    return .accepted(rejected: 0, words: "'\(file)' cannot be written: \(error)")
  }

  /// Writes beside the file and renames: readers see the old text or the new one. Others may read it, as node
  /// exporters do under a user of their own.
  ///
  /// - Returns: the system's words; nil if it went well.
  private static func replace(_ path: String, with bytes: [UInt8]) -> String? {
    let temporary = path + ".tmp"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { return String(cString: strerror(errno)) }
    var at = 0
    while at < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        buffer.baseAddress.map {
          #if canImport(Glibc)
            Glibc.write(descriptor, $0 + at, buffer.count - at)
          #else
            Darwin.write(descriptor, $0 + at, buffer.count - at)
          #endif
        } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let words = String(cString: strerror(errno))
        close(descriptor)
        unlink(temporary)
        return words
      }
      at += count
    }
    close(descriptor)
    guard rename(temporary, path) == 0 else { return String(cString: strerror(errno)) }
    return nil
  }
}
