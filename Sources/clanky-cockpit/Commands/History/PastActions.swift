import ClankyLink
import ClankyWire
import CockpitPanes
import CockpitStores

/// Fetches past actions. One answer holds 1,000 at most and there is no way to ask for the next
/// thousand (contract 1.6, 3.2), so what is full is asked again in halves, kind by kind.
@MainActor
final class PastActions {
  /// Rows that one answer has at most.
  static let limit = GapRepair.rowLimit

  /// Kinds that even alone were more than one answer holds, and the time of the oldest row that
  /// came; nil when none did.
  private(set) var cut: [(kind: String, oldestMs: Int64?)] = []

  /// What of the first answer that was not whole could not be read, one sentence.
  private var loss: String?

  /// Answers that may be too long before no more is divided: whoever sends nothing else has no rows.
  private static let maximumTooLarge = 16
  private var tooLarge = 0

  private let session: RestSession
  private let store = ActivityStore(memory: 1 << 30)

  init(_ session: RestSession) { self.session = session }

  var rows: [ActionRowView] { store.log.rows(in: 0..<store.log.count) }

  /// - Parameters:
  ///   - kinds: exact names; empty for all.
  ///   - isMoreWanted: whether one answer's worth is not enough although no time is given.
  func load(since: HistoryDuration?, kinds: [String], isMoreWanted: Bool) async throws(Failure) {
    let hours = since.map { Double($0.milliseconds) / 3_600_000 }
    let first = try await ask(kinds, hours)
    guard first.isFull else { return }
    guard since != nil || isMoreWanted || first.isTooLarge else { return }
    if kinds.count == 1 { return cut.append((kinds[0], first.oldestMs)) }
    for group in kinds.isEmpty ? allKinds : [kinds] { try await split(group, hours) }
  }

  /// All known kinds in groups of about the same weight, and those that came and nobody knows.
  private var allKinds: [[String]] {
    let known = Set(GapRepair.kindGroups.joined())
    let others = Set(store.log.labels().map(\.label.kind)).subtracting(known).sorted()
    return GapRepair.kindGroups + (others.isEmpty ? [] : [others])
  }

  private func split(_ kinds: [String], _ hours: Double?) async throws(Failure) {
    guard tooLarge < Self.maximumTooLarge else { return cut += kinds.map { ($0, nil) } }
    let answer = try await ask(kinds, hours)
    guard answer.isFull else { return }
    guard kinds.count > 1 else { return cut.append((kinds[0], answer.oldestMs)) }
    let half = kinds.count / 2
    try await split(Array(kinds[..<half]), hours)
    try await split(Array(kinds[half...]), hours)
  }

  private struct Answer {
    /// There may be more.
    var isFull: Bool
    var isTooLarge = false
    var oldestMs: Int64?
  }

  private func ask(_ kinds: [String], _ hours: Double?) async throws(Failure) -> Answer {
    var target = RequestTarget.actions(limit: Self.limit, sinceHours: hours, kinds: kinds)
    if let guild = session.settings.guild { target.query.append(.init("guildId", guild)) }
    switch await session.ask(RestRequest(.get, target)) {
    case .success(let answer) where answer.isSuccess:
      let report = answer.body.withUnsafeBytes {
        store.applyRows($0, nowMs: session.nowMs)
      }
      guard report.count > 0 || ActionRows.isList(answer.body) else {
        throw RestSession.notUnderstood
      }
      loss = loss ?? report.loss
      return Answer(
        isFull: report.count + report.rejected >= Self.limit, oldestMs: report.oldestMs)
    case .success(let answer):
      let words = ErrorBody(body: answer.body).message.map { ": \($0)" } ?? ""
      throw Failure(.failed, "The backend refused the request (\(answer.status))\(words).")
    case .failure(let failure):
      // Rows hold whole prompts: a thousand of them may be more than is read of one answer.
      if case .answerTooLarge = failure.failure {
        tooLarge += 1
        return Answer(isFull: true, isTooLarge: true)
      }
      throw Failure(failure.failure)
    }
  }

  /// Says on stderr what the list lacks.
  func sayWhatIsMissing(_ clock: ClockFormat) {
    if let loss { Output.complain("Not all actions: \(loss)") }
    if store.log.totals.evicted > 0 {
      Output.complain(
        "\(Figures.count(store.log.totals.evicted)) of the actions did not fit into memory; ask for a shorter time or fewer kinds."
      )
    }
    guard !cut.isEmpty else { return }
    let kinds = cut.map { kind, oldestMs in
      oldestMs.map { "\(kind) before \(clock.day(ms: $0)) \(clock.time(ms: $0))" } ?? kind
    }
    Output.complain(
      "Not all actions: the backend gives at most \(Figures.count(Self.limit)) of a kind, so these are missing: \(kinds.joined(separator: ", ")). A shorter --since gets all."
    )
  }
}
