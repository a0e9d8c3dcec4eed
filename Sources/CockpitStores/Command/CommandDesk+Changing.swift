internal import LenientJSON
internal import ClankyLink
internal import ClankyWire

/// What changes something on the backend: one request at a time, sent once.
extension CommandDesk {
  /// What the backend notes as the origin of a request to join (contract 3.4.1).
  static let source = "clanky-cockpit"
  static let readOnlyRefusal =
    "The profile in use is read-only, so nothing was sent; choose another one to change something."
  static let otherUnderWay =
    "Another change is under way, so nothing was sent; wait for its outcome, then try again."

  /// Why nothing may be sent now; nil when it may.
  private var refusal: String? {
    if isReadOnly { return Self.readOnlyRefusal }
    let isBusy =
      store.join.isUnderWay || store.leave.isUnderWay || store.memoryRefresh.isUnderWay
    return isBusy ? Self.otherUnderWay : nil
  }

  // MARK: Joining voice

  func join(_ request: JoinRequest) {
    guard !store.join.isUnderWay else { return }
    if let refusal { return store.join = .failed(refusal, atMs: clock.wallMs) }
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
          store.join = .failed(Self.unknownJoin(ChangeAnswer.odd), atMs: atMs)
          return
        }
        store.join = .ended(result, atMs: atMs)
      case .refused(_, words: JoinReason.voiceJoinUnavailable.rawValue?):
        store.join = .ended(JoinResult(ok: false, reason: .voiceJoinUnavailable), atMs: atMs)
      case .refused(let status, let words):
        store.join = .failed(ChangeAnswer.refusal(status, words), atMs: atMs)
      case .notSent(let problem): store.join = .failed(problem, atMs: atMs)
      case .unknown(let doubt): store.join = .failed(Self.unknownJoin(doubt), atMs: atMs)
      }
    }
  }

  private static func unknownJoin(_ doubt: String) -> String {
    doubt + " Whether the bot joined is unknown; look at VOICE before you try again."
  }

  // MARK: Leaving voice

  /// The user has asked for it, so the route is tried: nothing harmless tells beforehand whether
  /// there is one (`LeaveWords`).
  func leave(_ guild: String?) {
    guard !store.leave.isUnderWay else { return }
    if let refusal { return store.leave = .failed(refusal, atMs: clock.wallMs) }
    store.leave = .underWay(sinceMs: clock.wallMs)
    requester.request(.leave(guild: guild)) { [weak self] result in
      guard let self else { return }
      let atMs = clock.wallMs
      if result.isMissingRoute, isKnownBackend {
        store.canLeave = false
        store.leave = .failed(LeaveWords.notServed, atMs: atMs)
        return
      }
      switch ChangeAnswer(result) {
      case .answered(let json, _):
        guard let ok = json["ok"]?.bool else {
          store.leave = .failed(Self.unknownLeave(ChangeAnswer.odd), atMs: atMs)
          return
        }
        store.canLeave = true
        store.leave =
          ok
          ? .ended(true, atMs: atMs)
          : .failed(LeaveWords.refusal(json["reason"]?.string), atMs: atMs)
      case .refused(let status, let words):
        store.leave = .failed(ChangeAnswer.refusal(status, words), atMs: atMs)
      case .notSent(let problem): store.leave = .failed(problem, atMs: atMs)
      case .unknown(let doubt): store.leave = .failed(Self.unknownLeave(doubt), atMs: atMs)
      }
    }
  }

  private static func unknownLeave(_ doubt: String) -> String {
    doubt + " Whether the bot left is unknown; look at VOICE before you try again."
  }

  // MARK: Memory

  func refreshMemory(_ guild: String?) {
    guard !store.memoryRefresh.isUnderWay else { return }
    if let refusal { return store.memoryRefresh = .failed(refusal, atMs: clock.wallMs) }
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
            ? ChangeAnswer.refusal(status, ErrorBody(json).message)
            : Self.unknownRefresh(ChangeAnswer.odd),
          atMs: atMs)
      case .refused(let status, let words):
        store.memoryRefresh = .failed(ChangeAnswer.refusal(status, words), atMs: atMs)
      case .notSent(let problem): store.memoryRefresh = .failed(problem, atMs: atMs)
      case .unknown(let doubt):
        store.memoryRefresh = .failed(Self.unknownRefresh(doubt), atMs: atMs)
      }
    }
  }

  private static func unknownRefresh(_ doubt: String) -> String {
    doubt + " Whether the summary was made anew is unknown; look at it in MEMORY."
  }
}
