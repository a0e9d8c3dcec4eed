import ClankyWire
import CockpitDomain
import CockpitHistory
import CurlTransport
import HistorySource
import CockpitText
import LenientJSON
import Networking

/// What a backend would have answered at the time of a recording, made of what was recorded by then: rows, figures,
/// the state of voice, and the lists that were fetched. What was not recorded is refused.
@MainActor
package final class RecordedAnswers: RequestChannel {
  package let clock: any LinkClock
  private let past: RecordedPast
  private let lists: HistorySource
  private let answers: DeferredAnswers

  /// Figures that are older than this, in ms, are not those of the moment.
  private static let freshMs: Int64 = 300_000
  /// Rows that are read at once.
  private static let batch = 2000

  package init(_ past: RecordedPast) {
    self.past = past
    let clock = ReplayClock(atMs: past.nowMs, real: DispatchClock())
    self.clock = clock
    answers = DeferredAnswers(clock: clock)
    lists = HistorySource(past.history, clock: clock)
  }

  package func stop() { answers.cancel() }

  @discardableResult
  package func request(
    _ request: RestRequest,
    completion: @escaping @MainActor (Result<RestAnswer, RestFailure>) -> Void
  ) -> any RestHandle {
    guard let body = body(request) else {
      if isOwn(request.target) {
        return answers.give(
          .failure(RestFailure(failure: .notRecorded, mayHaveArrived: false)), to: completion)
      }
      return lists.request(request, completion: completion)
    }
    return answers.give(
      .success(RestAnswer(status: 200, body: body, latencyMs: 0)), to: completion)
  }

  /// Whether it is answered from rows and documents of the streams.
  private func isOwn(_ target: RequestTarget) -> Bool {
    [["api", "health"], ["api", "stats"], ["api", "actions"], ["api", "voice", "state"]]
      .contains(target.segments)
  }

  private func body(_ request: RestRequest) -> [UInt8]? {
    guard request.method == .get else { return nil }
    switch request.target.segments {
    case ["api", "health"]: return wasHeard ? Array(#"{"ok":true}"#.utf8) : nil
    // Figures of one guild are not those of the stream.
    case ["api", "stats"] where request.target.query.isEmpty: return fresh("stats")
    case ["api", "voice", "state"]: return fresh("voice_state")
    case ["api", "actions"]: return actions(request.target)
    default: return nil
    }
  }

  /// Whether the recorder had a connection then.
  private var wasHeard: Bool {
    let link: RecordedLink?
    do throws(HistoryError) {
      guard try past.history.outages(after: past.nowMs - 1, through: past.nowMs).isEmpty else {
        return false
      }
      link = try past.history.link(.state, notAfterMs: past.nowMs)
    } catch {
      // What cannot be read is not known to have been healthy.
      return false
    }
    guard let link else { return true }
    let state = (try? JSONValue.parse(link.value))?["state"]?.string
    return state.flatMap(LinkState.init(rawValue:)).map { $0 == .live || $0 == .polling } ?? false
  }

  private func fresh(_ name: String) -> [UInt8]? {
    past.document(name).flatMap { past.nowMs - $0.atMs <= Self.freshMs ? $0.body : nil }
  }

  /// The newest rows of a request, as the list of the backend has them; nil if they cannot be read.
  private func actions(_ target: RequestTarget) -> [UInt8]? {
    func value(_ name: String) -> String? { target.query.first { $0.name == name }?.value }
    let limit = value("limit").flatMap { Int($0) } ?? Self.batch
    let hours = value("sinceHours").flatMap { Double($0) }
    let fromMs = hours.map { past.nowMs - Int64($0 * 3_600_000) } ?? .min
    let kinds = value("kinds").map { Set($0.split(separator: ",").map(String.init)) }
    let guild = value("guildId")
    var list: [UInt8] = [UInt8(ascii: "[")]
    var (count, place) = (0, HistoryPlace(atMs: past.nowMs, seq: .max))
    while count < limit {
      guard let rows = try? past.history.rows(before: place, limit: Self.batch) else { return nil }
      for row in rows where count < limit && row.atMs >= fromMs {
        guard let bytes = Self.listed(row, kinds: kinds, guild: guild) else { continue }
        if count > 0 { list.append(UInt8(ascii: ",")) }
        list += bytes
        count += 1
      }
      guard rows.count == Self.batch, let last = rows.last, last.atMs >= fromMs else { break }
      place = last.place
    }
    return list + [UInt8(ascii: "]")]
  }

  /// The bytes of a wanted row, with its id; nil for others.
  private static func listed(_ row: RecordedRow, kinds: Set<String>?, guild: String?) -> [UInt8]? {
    row.json.withUnsafeBytes { json -> [UInt8]? in
      guard let scan = try? ActionScanner.scan(json) else { return nil }
      if let kinds, !kinds.contains(scan.kind.text(in: json) ?? "") { return nil }
      if let guild, scan.guild.id(in: json) != guild { return nil }
      guard scan.id == nil, let id = row.actionID, row.json.first == UInt8(ascii: "{") else {
        return row.json
      }
      return Array("{\"id\":\(id),".utf8) + row.json.dropFirst()
    }
  }

  /// What is missing in the last hour, and how old recorded lists are whose paths begin so; sentences.
  package func remarks(_ lists: String? = nil) -> [String] {
    guard let lists else {
      return past.sentences(fromMs: past.nowMs - 3_600_000, toMs: past.nowMs)
    }
    let times = past.documentNames(lists).compactMap { past.document($0)?.atMs }
    guard let oldest = times.min() else { return [] }
    let clock = past.settings.clock
    return [
      "As fetched \(clock.day(ms: oldest)) \(clock.time(ms: oldest)), up to \(Figures.age(ms: past.nowMs - oldest)) before."
    ]
  }

  /// `as of 2026-11-24 02:00:00, from the recording`
  package var asOf: String {
    let clock = past.settings.clock
    return "as of \(clock.day(ms: past.nowMs)) \(clock.time(ms: past.nowMs)), from the recording"
  }
}
