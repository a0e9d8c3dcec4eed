import CockpitDomain
import CockpitHistory
import CockpitSinks
import Foundation
import Synchronization

/// A history of one bot, and far ends, for tests.
final class SinkPlace {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/sinks-\(UInt64.random(in: 0 ... .max))"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Records rows, numbered from `first`.
  func record(_ rows: [String], first: Int = 0, receivedMs: Int64 = SinkPlace.nowMs) {
    let recorder = HistoryRecorder(
      folder: path,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, syncMs: nil, what: "test", version: "0",
        bot: "http://127.0.0.1:1")
    ) { receivedMs }
    for (index, row) in rows.enumerated() {
      Array(row.utf8).withUnsafeBytes {
        recorder.row(
          number: first + index, receivedMs: receivedMs, channels: .activity, json: $0)
      }
    }
    recorder.stop(waiting: 60)
  }

  static let nowMs: Int64 = 1_790_000_000_000

  /// The rows of the history, in the order of arrival.
  func recorded() throws -> [RecordedRow] {
    try HistoryFolder(path).rows(notAfterMs: .max, limit: 1_000_000, skipping: 0)
      .sorted { $0.seq < $1.seq }
  }

  /// A sink over this history.
  func plan(
    _ name: String = "far", level: RedactionLevel = .none, fromStart: Bool = true,
    isOnce: Bool = true, _ target: @escaping @Sendable () -> any SinkTarget
  ) -> SinkThread.Plan {
    var plan = SinkThread.Plan(
      name: name, kind: "test", folder: path, botName: "clanky#0001", level: level,
      keepsPrompts: level == .none, maxLagMs: 86_400_000
    ) { _ in target() }
    plan.fromMs = fromStart ? 0 : nil
    plan.isOnce = isOnce
    return plan
  }
}

enum SinkRows {
  static func iso(_ ms: Int64) -> String {
    let date = Date(timeIntervalSince1970: Double(ms / 1000)).formatted(.iso8601)
    return date.dropLast() + "." + String(String(1000 + ms % 1000).dropFirst()) + "Z"
  }

  /// One row a millisecond, unless a time is given: a recorder takes equal rows of another run for those it has.
  static func plain(
    _ number: Int, atMs: Int64? = nil, kind: String = "llm_call",
    metadata: String = "{}", id: Int? = nil
  ) -> String {
    """
    {\(id.map { "\"id\":\($0)," } ?? "")"kind":"\(kind)","content":"row \(number)","createdAt":"\(iso(atMs ?? SinkPlace.nowMs + Int64(number)))",\
    "userId":"198765432109876543","guildId":"812345678901234567","metadata":\(metadata)}
    """
  }
}

/// A far end in memory that drops twins by their key, as all of them do, and fails as it is told.
final class FarEnd: Sendable {
  struct Content {
    var keys: [String] = []
    var known: Set<String> = []
    var requests = 0
    var largest = 0
    /// Rows that came again.
    var twins = 0
  }

  enum Fault: Hashable { case none, busy, lostAnswer, refused }

  let content = Mutex(Content())
  /// The fault of a request, by its number from 0, for these rows.
  private let fault: @Sendable (Int, [SinkRow]) -> Fault

  init(_ fault: @escaping @Sendable (Int, [SinkRow]) -> Fault = { _, _ in .none }) {
    self.fault = fault
  }

  func target() -> any SinkTarget { Target(self) }

  private final class Target: SinkTarget {
    private let end: FarEnd
    init(_ end: FarEnd) { self.end = end }

    func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
      end.content.withLock { content in
        let fault = end.fault(content.requests, Array(rows))
        content.requests += 1
        content.largest = max(content.largest, rows.count)
        switch fault {
        case .busy: return .busy("503", retryAfterMs: nil)
        case .refused: return .refused("400: bad row")
        case .none, .lostAnswer:
          for row in rows {
            if content.known.insert(row.keyText).inserted {
              content.keys.append(row.keyText)
            } else {
              content.twins += 1
            }
          }
          return fault == .none ? .accepted() : .busy("the connection was lost")
        }
      }
    }
  }
}

extension SinkPlace {
  /// A recorder after a restart: the backend gives rows that it has recorded, now with their ids.
  func learn(_ ids: [Int: Int], first: Int, receivedMs: Int64 = SinkPlace.nowMs) {
    record(
      ids.sorted { $0.key < $1.key }.map { SinkRows.plain($0.key, id: $0.value) }, first: first,
      receivedMs: receivedMs)
  }
}

extension SinkThread {
  /// Waits for the end of a sink that ends by itself.
  func end(within seconds: Double = 60) async -> Bool {
    let deadline = Date(timeIntervalSinceNow: seconds)
    while !state.isOver, Date() < deadline { try? await Task.sleep(for: .milliseconds(5)) }
    return state.isOver
  }
}
