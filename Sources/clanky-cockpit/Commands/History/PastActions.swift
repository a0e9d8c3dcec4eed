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

  /// A kind of which not all came, because even alone it was more than one answer holds.
  struct Cut {
    var kind: String
    /// The time of the oldest row that came; nil when none did.
    var oldestMs: Int64?
    /// The answer had too many bytes rather than too many rows.
    var isTooLarge = false
  }

  private(set) var cut: [Cut] = []

  /// What of the first answer that was not whole could not be read, one sentence.
  private var loss: String?

  /// Answers that may be too long before no more is divided: whoever sends nothing else has no rows.
  private static let maximumTooLarge = 16
  private var tooLarge = 0

  private let store: ActivityStore
  private let guild: String?
  private let nowMs: @MainActor () -> Int64
  private let request: @MainActor (RestRequest) async -> Result<RestAnswer, RestFailure>

  init(_ session: RestSession) {
    store = ActivityStore(memory: 1 << 30)
    guild = session.settings.guild
    nowMs = { session.nowMs }
    request = { await session.ask($0) }
  }

  /// Puts the rows into a store that may have others.
  ///
  /// - Parameters:
  ///   - guild: only those of this guild; nil for all.
  ///   - nowMs: now on the clock of this machine.
  ///   - request: asks the backend.
  init(
    into store: ActivityStore, guild: String?, nowMs: @escaping @MainActor () -> Int64,
    request: @escaping @MainActor (RestRequest) async -> Result<RestAnswer, RestFailure>
  ) {
    self.store = store
    self.guild = guild
    self.nowMs = nowMs
    self.request = request
  }

  var rows: [ActionRowView] { store.log.rows(in: 0..<store.log.count) }

  /// - Parameters:
  ///   - kinds: exact names; empty for all.
  ///   - isMoreWanted: whether one answer's worth is not enough.
  func load(since: HistoryDuration?, kinds: [String], isMoreWanted: Bool) async throws(Failure) {
    let hours = since.map { Double($0.milliseconds) / 3_600_000 }
    let first = try await ask(kinds, hours)
    guard first.isFull, isMoreWanted || first.isTooLarge else { return }
    if kinds.count == 1 { return cut.append(first.cut(kinds[0])) }
    for group in kinds.isEmpty ? allKinds : [kinds] { try await split(group, hours) }
  }

  /// All known kinds in groups of about the same weight, and those that came and nobody knows.
  private var allKinds: [[String]] {
    let known = Set(GapRepair.kindGroups.joined())
    let others = Set(store.log.labels().map(\.label.kind)).subtracting(known).sorted()
    return GapRepair.kindGroups + (others.isEmpty ? [] : [others])
  }

  private func split(_ kinds: [String], _ hours: Double?) async throws(Failure) {
    guard tooLarge < Self.maximumTooLarge else {
      return cut += kinds.map { Cut(kind: $0, isTooLarge: true) }
    }
    let answer = try await ask(kinds, hours)
    guard answer.isFull else { return }
    guard kinds.count > 1 else { return cut.append(answer.cut(kinds[0])) }
    let half = kinds.count / 2
    try await split(Array(kinds[..<half]), hours)
    try await split(Array(kinds[half...]), hours)
  }

  private struct Answer {
    /// There may be more.
    var isFull: Bool
    var isTooLarge = false
    var oldestMs: Int64?

    func cut(_ kind: String) -> Cut {
      Cut(kind: kind, oldestMs: oldestMs, isTooLarge: isTooLarge)
    }
  }

  private func ask(_ kinds: [String], _ hours: Double?) async throws(Failure) -> Answer {
    var target = RequestTarget.actions(limit: Self.limit, sinceHours: hours, kinds: kinds)
    if let guild { target.query.append(.init("guildId", guild)) }
    switch await request(RestRequest(.get, target)) {
    case .success(let answer) where answer.isSuccess:
      let report = answer.body.withUnsafeBytes { store.applyRows($0, nowMs: nowMs()) }
      guard report.count > 0 || ActionRows.isList(answer.body) else {
        throw Failure(stranger: answer)
      }
      loss = loss ?? report.loss
      return Answer(
        isFull: report.count + report.rejected >= Self.limit, oldestMs: report.oldestMs)
    case .success(let answer): throw Failure(refusal: answer)
    case .failure(let failure):
      // Rows hold whole prompts: a thousand of them may be more than is read of one answer.
      if case .answerTooLarge = failure.failure {
        tooLarge += 1
        return Answer(isFull: true, isTooLarge: true)
      }
      throw Failure(failure.failure)
    }
  }

  /// What the list lacks, a sentence for each cause.
  func missing(_ clock: ClockFormat) -> [String] {
    var sentences: [String] = []
    if let loss { sentences.append("Not all actions: \(loss)") }
    if store.log.totals.evicted > 0 {
      sentences.append(
        "\(Figures.count(store.log.totals.evicted)) of the actions did not fit into memory; ask for a shorter time or fewer kinds."
      )
    }
    if let tooLong = list(cut.filter(\.isTooLarge), clock) {
      sentences.append(
        "Not all actions: these are longer than is read of one answer: \(tooLong). A shorter --since may get them."
      )
    }
    if let tooMany = list(cut.filter { !$0.isTooLarge }, clock) {
      sentences.append(
        "Not all actions: the backend gives at most \(Figures.count(Self.limit)) of a kind, so these are missing: \(tooMany). A shorter --since gets all."
      )
    }
    return sentences
  }

  private func list(_ cut: [Cut], _ clock: ClockFormat) -> String? {
    guard !cut.isEmpty else { return nil }
    return cut.map { cut in
      cut.oldestMs.map { "\(cut.kind) before \(clock.day(ms: $0)) \(clock.time(ms: $0))" }
        ?? cut.kind
    }.joined(separator: ", ")
  }
}
