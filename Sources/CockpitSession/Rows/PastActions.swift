import ClankySource
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores

/// Fetches past actions. One answer holds 1,000 at most and there is no paging (contract 1.6, 3.2),
/// so a full answer is requested again in parts, as the live link does.
@MainActor
package final class PastActions {
  /// Rows that one answer has at most.
  package static let limit = ActionsRoute.rowLimit

  /// The unreadable part of the first incomplete answer, one sentence.
  private var loss: String?

  /// Where rows may be missing.
  private(set) var limits = HistoryLimits()

  /// Oversized answers before parts are no longer divided: a backend that sends only these cannot
  /// serve the rest.
  private static let maximumTooLarge = 16
  private var tooLarge = 0
  /// Requests at the most: the kinds and guilds of a hostile backend have no end.
  private static let maximumRequests = 256
  private var requests = 0

  /// The first answer, and that for kinds of their own.
  private var newest: Answer?
  private var named: (kinds: Int, answer: Answer)?

  private let store: ActivityStore
  private let guild: String?
  private let nowMs: @MainActor () -> Int64
  private let request: @MainActor (RestRequest) async -> Result<RestAnswer, RestFailure>

  /// With `--guild` rows that belong to no guild, such as logins, do not come: the other initialiser with
  /// `guild: nil` fetches them.
  ///
  /// - Parameter guild: only those of this guild, where the options name none.
  package init(_ session: RestSession, guild: String? = nil) {
    store = ActivityStore(memory: 1 << 30)
    self.guild = session.settings.guild ?? guild
    nowMs = { session.nowMs }
    request = { await session.ask($0) }
  }

  /// Puts the rows into a store that may have others.
  ///
  /// - Parameters:
  ///   - guild: only those of this guild; nil for all.
  ///   - nowMs: now on the clock of this machine.
  ///   - request: asks the backend.
  package init(
    into store: ActivityStore, guild: String?, nowMs: @escaping @MainActor () -> Int64,
    request: @escaping @MainActor (RestRequest) async -> Result<RestAnswer, RestFailure>
  ) {
    self.store = store
    self.guild = guild
    self.nowMs = nowMs
    self.request = request
  }

  package var log: ActionLog { store.log }

  package var rows: [ActionRowView] { store.log.rows(in: 0..<store.log.count) }

  /// - Parameters:
  ///   - kinds: exact names; empty for all.
  ///   - named: kinds to request besides the known ones if all are wanted.
  ///   - isWanted: whether rows of a kind may be wanted; others are not requested.
  ///   - isEnough: whether the newest rows of one answer suffice.
  package func load(
    since: HistoryDuration?, kinds: [String], named: [String] = [],
    isWanted: @MainActor (String) -> Bool = { _ in true }, isEnough: @MainActor () -> Bool
  ) async throws(Failure) {
    let root = FillPart(kinds: kinds, guild: guild)
    let hours = since.map { Double($0.milliseconds) / 3_600_000 }
    let first = try await ask(root, hours)
    newest = first
    guard first.isFull, first.isTooLarge || !isEnough() else { return }
    if root.kinds.isEmpty { limits.unknownKindsBeforeMs = first.oldestMs ?? .max }
    if root == FillPart() { limits.newest = first.newest }
    var plan = FillPlan(root)
    divide(root, after: first, &plan, named)
    // A row before the requested time proves that none is missing after it.
    let more = hours.map { $0 * 1.1 + Double(GapRepair.marginMs) / 3_600_000 }
    while var part = plan.next(seen(named)) {
      if !part.kinds.isEmpty {
        part.kinds.removeAll { !isWanted($0) }
        if part.kinds.isEmpty { continue }
      }
      guard tooLarge < Self.maximumTooLarge, requests < Self.maximumRequests else {
        // Per guild only rows of unknown kinds were requested.
        if !part.kinds.isEmpty {
          limits.cut(part, isTooLarge: tooLarge >= Self.maximumTooLarge)
        }
        continue
      }
      let answer = try await ask(part, more)
      if answer.isFull { divide(part, after: answer, &plan, named) }
    }
  }

  /// Asks for the newest of some kinds besides the newest of all, where these are not all there are.
  package func loadNewest(_ kinds: [String]) async throws(Failure) {
    guard !kinds.isEmpty, let newest, newest.isFull else { return }
    named = (kinds.count, try await ask(FillPart(kinds: kinds, guild: guild), nil))
  }

  /// What an unbounded search covered, as the rest of a sentence; nil if it covered everything the
  /// backend has.
  ///
  /// - Parameter requested: the exact kinds requested.
  package func newestReach(_ clock: ClockFormat, requested: [String]) -> String? {
    guard let newest, newest.isFull else { return nil }
    let limit = Figures.count(Self.limit)
    var words = "among the newest \(limit)"
    if !requested.isEmpty { words += requested.count == 1 ? " of this kind" : " of these kinds" }
    words += since(newest, clock)
    guard let named else { return words }
    let kinds = named.kinds == 1 ? "one kind" : "\(named.kinds) kinds"
    let all = named.answer.isFull ? "the newest \(limit)\(since(named.answer, clock))" : "all"
    return words + ", and \(all) of the \(kinds) that the filter is about"
  }

  /// From when on all rows are here that a search without a beginning looked among, in ms since 1970; nil
  /// where these are all that the backend has.
  package var newestBeginMs: Int64? {
    guard let newest, newest.isFull else { return nil }
    return newest.oldestMs
  }

  /// From when on all rows are here that the backend has since a time; both in ms since 1970.
  package func wholeSinceMs(_ sinceMs: Int64) -> Int64 {
    if loss != nil { return .max }
    guard limits.matters(sinceMs: sinceMs, among: { rows }) else { return sinceMs }
    return limits.wholeSinceMs(sinceMs)
  }

  private func since(_ answer: Answer, _ clock: ClockFormat) -> String {
    answer.oldestMs.map { ", since " + HistoryLimits.moment($0, clock, nowMs: nowMs()) } ?? ""
  }

  private func divide(
    _ part: FillPart, after answer: Answer, _ plan: inout FillPlan, _ named: [String]
  ) {
    let isDivided = plan.divide(part, by: seen(named), isTooLarge: answer.isTooLarge)
    guard part.kinds.count == 1 else { return }
    limits.cut(
      part, beforeMs: answer.oldestMs, isTooLarge: answer.isTooLarge, isRest: isDivided)
  }

  private func seen(_ named: [String]) -> SeenParts {
    var parts = store.log.seenParts
    parts.kinds.formUnion(named)
    return parts
  }

  private struct Answer {
    /// There may be more.
    var isFull: Bool
    var isTooLarge = false
    var oldestMs: Int64?
    /// The newest row with an id.
    var newest: HistoryLimits.Newest?
  }

  private func ask(_ part: FillPart, _ hours: Double?) async throws(Failure) -> Answer {
    requests += 1
    let target = RequestTarget.actions(
      limit: Self.limit, sinceHours: hours, kinds: part.kinds, guild: part.guild)
    switch await request(RestRequest(.get, target)) {
    case .success(let answer) where answer.isSuccess:
      let report = answer.body.withUnsafeBytes { store.applyRows($0, nowMs: nowMs()) }
      guard report.count > 0 || ActionRows.isList(answer.body) else {
        throw Failure(unexpected: answer)
      }
      loss = loss ?? report.loss
      var result = Answer(
        isFull: report.count + report.rejected >= Self.limit, oldestMs: report.oldestMs)
      if let id = report.ids.max(), let newestMs = report.newestMs {
        result.newest = HistoryLimits.Newest(id: id, timeMs: newestMs)
      }
      return result
    case .success(let answer): throw Failure(RequestFailure(refusal: answer))
    case .failure(let failure):
      // Rows hold whole prompts: a thousand of them may be more than is read of one answer.
      if case .answerTooLarge = failure.failure {
        tooLarge += 1
        return Answer(isFull: true, isTooLarge: true)
      }
      throw Failure(failure.failure)
    }
  }

  /// What the list lacks or may lack, a sentence for each cause.
  ///
  /// - Parameters:
  ///   - sinceMs: server time from which rows are wanted.
  ///   - isWanted: whether rows of a kind may be wanted; nil stands for unknown kinds.
  package func missing(
    _ clock: ClockFormat, sinceMs: Int64, isWanted: (String?) -> Bool
  ) -> [String] {
    var sentences: [String] = []
    if let loss { sentences.append("Not all actions: \(loss)") }
    if store.log.totals.evicted > 0 {
      sentences.append(
        "\(Figures.count(store.log.totals.evicted)) of the actions did not fit into memory; ask for a shorter time or fewer kinds."
      )
    }
    guard limits.matters(sinceMs: sinceMs, among: { rows }) else { return sentences }
    return sentences + limits.sentences(clock, sinceMs: sinceMs, isWanted: isWanted)
  }
}
