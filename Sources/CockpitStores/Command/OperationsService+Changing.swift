internal import CockpitDomain
internal import LenientJSON
internal import Networking
internal import ClankyWire

/// Changing requests: one at a time, sent once.
extension OperationsService {
  /// The origin of a join request in the backend's records (contract 3.4.1).
  static let source = "clanky-cockpit"
  static let readOnlyRefusal =
    "The profile in use is read-only, so nothing was sent; choose another one to change something."
  static let otherUnderWay =
    "Another change is under way, so nothing was sent; wait for its outcome, then try again."

  /// Why nothing may be sent now; nil if it may.
  private var refusal: String? {
    if isReadOnly { return Self.readOnlyRefusal }
    let isBusy =
      store.join.isUnderWay || store.leave.isUnderWay || store.memoryRefresh.isUnderWay
    return isBusy ? Self.otherUnderWay : nil
  }

  // MARK: Joining voice

  func join(_ request: JoinRequest) {
    guard !store.join.isUnderWay else { return }
    if let refusal {
      return store.join = .failed(ChangeFailure(.other(refusal)), atMs: clock.wallMs)
    }
    store.join = .underWay(sinceMs: clock.wallMs)
    var request = request
    request.source = request.source ?? Self.source
    requester.request(.join(request)) { [weak self] result in
      guard let self else { return }
      let atMs = clock.wallMs
      switch ChangeAnswer(result) {
      case .answered(let json, _):
        // 200 with `ok: false` is a refusal too (contract 3.4.1).
        guard let result = JoinResult(json), result.ok != nil || result.reason != nil else {
          store.join = .failed(Self.unknownJoin(ChangeAnswer.odd, .unreadable), atMs: atMs)
          return
        }
        store.join = .ended(result, atMs: atMs)
      case .refused(_, words: JoinReason.voiceJoinUnavailable.rawValue?):
        store.join = .ended(JoinResult(ok: false, reason: .voiceJoinUnavailable), atMs: atMs)
      case .refused(let status, let words):
        store.join = .failed(Self.refused(status, words), atMs: atMs)
      case .notSent(let failure):
        store.join = .failed(ChangeFailure(.unanswered(failure)), atMs: atMs)
      case .unknown(let doubt, let cause):
        store.join = .failed(Self.unknownJoin(doubt, cause), atMs: atMs)
      }
    }
  }

  private static func unknownJoin(_ doubt: String, _ cause: RequestFailure) -> ChangeFailure {
    ChangeFailure(
      doubt + " Whether the bot joined is unknown; look at VOICE before you try again.", cause)
  }

  // MARK: Leaving voice

  /// The user asked for it, so the request is sent: no harmless request shows whether the route
  /// exists (`LeaveText`).
  func leave(_ guild: String?) {
    guard !store.leave.isUnderWay else { return }
    if let refusal {
      return store.leave = .failed(ChangeFailure(.other(refusal)), atMs: clock.wallMs)
    }
    store.leave = .underWay(sinceMs: clock.wallMs)
    requester.request(.leave(guild: guild)) { [weak self] result in
      guard let self else { return }
      let atMs = clock.wallMs
      if result.isMissingRoute, isKnownBackend {
        store.canLeave = false
        store.leave = .failed(ChangeFailure(.other(LeaveText.notServed)), atMs: atMs)
        return
      }
      switch ChangeAnswer(result) {
      case .answered(let json, _):
        guard let ok = json["ok"]?.bool else {
          store.leave = .failed(Self.unknownLeave(ChangeAnswer.odd, .unreadable), atMs: atMs)
          return
        }
        store.canLeave = true
        store.leave =
          ok
          ? .ended(true, atMs: atMs)
          : .failed(
            ChangeFailure(.other(LeaveText.refusal(json["reason"]?.string))), atMs: atMs)
      case .refused(let status, let words):
        store.leave = .failed(Self.refused(status, words), atMs: atMs)
      case .notSent(let failure):
        store.leave = .failed(ChangeFailure(.unanswered(failure)), atMs: atMs)
      case .unknown(let doubt, let cause):
        store.leave = .failed(Self.unknownLeave(doubt, cause), atMs: atMs)
      }
    }
  }

  private static func unknownLeave(_ doubt: String, _ cause: RequestFailure) -> ChangeFailure {
    ChangeFailure(
      doubt + " Whether the bot left is unknown; look at VOICE before you try again.", cause)
  }

  // MARK: Memory

  func refreshMemory(_ guild: String?) {
    guard !store.memoryRefresh.isUnderWay else { return }
    if let refusal {
      return store.memoryRefresh = .failed(ChangeFailure(.other(refusal)), atMs: clock.wallMs)
    }
    store.memoryRefresh = .underWay(sinceMs: clock.wallMs)
    requester.request(.refreshMemory(guild: guild)) { [weak self] result in
      guard let self else { return }
      let atMs = clock.wallMs
      switch ChangeAnswer(result) {
      case .answered(let json, _) where json["ok"]?.bool == true:
        store.memoryRefresh = .ended(true, atMs: atMs)
      case .answered(let json, let status):
        store.memoryRefresh = .failed(
          json["ok"]?.bool == false
            ? Self.refused(status, ErrorBody(json).message)
            : Self.unknownRefresh(ChangeAnswer.odd, .unreadable),
          atMs: atMs)
      case .refused(let status, let words):
        store.memoryRefresh = .failed(Self.refused(status, words), atMs: atMs)
      case .notSent(let failure):
        store.memoryRefresh = .failed(ChangeFailure(.unanswered(failure)), atMs: atMs)
      case .unknown(let doubt, let cause):
        store.memoryRefresh = .failed(Self.unknownRefresh(doubt, cause), atMs: atMs)
      }
    }
  }

  private static func unknownRefresh(
    _ doubt: String, _ cause: RequestFailure
  ) -> ChangeFailure {
    ChangeFailure(
      doubt + " Whether the summary was made anew is unknown; look at it in MEMORY.", cause)
  }

  /// The backend's own no, which it will say again.
  private static func refused(_ status: Int, _ words: String?) -> ChangeFailure {
    ChangeFailure(
      ChangeAnswer.refusal(status, words), .refused(status: status, words: words))
  }
}
