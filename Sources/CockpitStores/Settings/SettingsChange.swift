internal import LenientJSON
package import Networking
package import ClankyWire

/// One save of the settings, from "send" to its outcome: the settings are read again, compared with
/// what the user saw, and at most one PUT of the whole document goes out. A value without I/O: it
/// says which request is next and receives the answers.
package struct SettingsChange: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// Another run of the program is changing the settings.
    case waiting
    /// The settings are being read again.
    case checking
    /// The PUT is under way; there is never a second one for the same confirmation.
    case sending
    /// The outcome is not known; the settings are being read to find out.
    case verifying
    /// Somebody changed these settings meanwhile; nothing was sent, or the backend refused it.
    case conflict([SettingPath])
    /// The settings read like this already; nothing was sent.
    case unchanged
    /// Nothing was stored, for a reason said as one sentence.
    case failed(String)
    /// It may or may not have been stored.
    case unknown(String)
    case stored(SettingsStored)
  }

  /// A request to send.
  package enum Step: Hashable, Sendable { case read, put }

  package private(set) var state = State.checking
  package let edit: SettingsEdit
  /// What the user saw.
  package let base: BotSettings?
  /// The settings as they were read last before the PUT.
  package private(set) var before: BotSettings?
  /// The settings as they were read last, where that is news.
  package private(set) var latest: BotSettings?
  /// Whether the PUT was sent.
  package private(set) var wasSent = false
  /// The last failure on the wire.
  package private(set) var failure: RequestFailure?
  private(set) var hasAsked = false
  /// The document that is sent.
  private(set) var sent: JSONObject?
  private var doubt = ""

  /// - Parameter base: what the user saw; tells what somebody else changed meanwhile.
  package init(_ edit: SettingsEdit, base: BotSettings?) {
    self.edit = edit
    self.base = base
    if let problem = edit.problem {
      state = .failed(problem + " " + Self.nothingSent)
    } else if edit.isEmpty {
      state = .unchanged
    }
  }

  package var isUnderWay: Bool {
    switch state {
    case .waiting, .checking, .sending, .verifying: true
    case .conflict, .unchanged, .failed, .unknown, .stored: false
    }
  }

  /// The next request; nil once the change has ended, and while the PUT is in flight.
  package var next: Step? {
    switch state {
    case .checking, .verifying: .read
    case .sending: wasSent ? nil : .put
    case .waiting, .conflict, .unchanged, .failed, .unknown, .stored: nil
    }
  }

  /// The request of a step. Asking for the PUT counts as sending it: it is given out once.
  package mutating func request(_ step: Step) -> RestRequest? {
    guard next == step else { return nil }
    hasAsked = true
    guard step == .put else { return .settings }
    guard let before, let sent else { return nil }
    wasSent = true
    return .saveSettings(BotSettings.body(sent, version: before.version))
  }

  /// Lets another run of the program end first, and begins after the wait.
  mutating func wait() {
    if case .checking = state, !hasAsked { state = .waiting }
  }

  mutating func begin() {
    if case .waiting = state { state = .checking }
  }

  /// Cancels before the PUT is sent; has no effect afterwards.
  package mutating func hold(_ problem: String) {
    guard isUnderWay, !wasSent else { return }
    state = .failed(problem)
  }

  /// Takes the answer to a step.
  package mutating func take(_ result: Result<RestAnswer, RestFailure>, of step: Step) {
    switch (step, state) {
    case (.read, .checking): check(SettingsRead(result))
    case (.read, .verifying): verify(SettingsRead(result))
    case (.put, .sending) where wasSent: takeReply(result)
    default: break
    }
  }

  // MARK: Before the PUT

  private mutating func check(_ read: SettingsRead) {
    switch read {
    case .failed(let failure):
      self.failure = failure
      state = .failed(
        "The settings could not be read again. \(Self.nothingSent) \(failure.sentence)")
    case .settings(let now):
      latest = now
      before = now
      if let problem = now.writingProblem {
        state = .failed(problem + " " + Self.nothingSent)
        return
      }
      let changed = edit.changedMeanwhile(in: now, since: base)
      guard changed.isEmpty else {
        state = .conflict(changed)
        return
      }
      do {
        let document = try edit.applied(to: now.intent)
        sent = document
        state =
          JSONValue.object(document).meansSame(as: .object(now.intent)) ? .unchanged : .sending
      } catch {
        state = .failed(error.description + " " + Self.nothingSent)
      }
    }
  }

  // MARK: After the PUT

  private mutating func takeReply(_ result: Result<RestAnswer, RestFailure>) {
    switch result {
    case .success(let answer) where answer.isSuccess:
      guard let stored = BotSettings(body: answer.body), !stored.version.isEmpty else {
        return startVerifying("The backend answered with something that cannot be understood.")
      }
      store(stored)
    case .success(let answer) where answer.status == 409:
      guard let theirs = BotSettings(body: answer.body) else {
        state = .failed("The backend refused the save (409). \(Self.nothingStored)")
        return
      }
      latest = theirs
      let changed = edit.changedMeanwhile(in: theirs, since: base)
      state = .conflict(
        changed.isEmpty
          ? SettingDifference.between((before ?? theirs).effective, theirs.effective).map(\.path)
          : changed)
    case .success(let answer) where answer.status >= 500 || answer.status == 408:
      let words = ErrorBody(body: answer.body).message
      startVerifying("The backend failed (\(answer.status))\(words.map { ": \($0)" } ?? "").")
    case .success(let answer):
      let refusal = RequestFailure(refusal: answer)
      failure = refusal
      state = .failed(refusal.sentence + " " + Self.nothingStored)
    case .failure(let failure):
      self.failure = .unanswered(failure)
      if !failure.mayHaveArrived || failure.failure.isRefusal {
        state = .failed(failure.description + " " + Self.nothingStored)
      } else {
        startVerifying(failure.failure.sentence)
      }
    }
  }

  private mutating func startVerifying(_ doubt: String) {
    self.doubt = doubt
    state = .verifying
  }

  private mutating func verify(_ read: SettingsRead) {
    switch read {
    case .failed(let failure):
      self.failure = failure
      state = .unknown("\(doubt) \(Self.unread) \(failure.sentence)")
    case .settings(let now):
      latest = now
      if now.version == before?.version {
        state = .failed("\(doubt) \(Self.notArrived)")
      } else if isOurs(now) {
        store(now)
      } else {
        state = .unknown("\(doubt) \(Self.readsDifferently)")
      }
    }
  }

  /// Whether the settings are what was sent. The backend keeps the spelling of what it was asked
  /// for, and leaves out what makes no difference.
  private func isOurs(_ now: BotSettings) -> Bool {
    guard let sent, let before else { return false }
    let isPart = now.intent.settings.allSatisfy { leaf in
      sent.value(at: leaf.path).meansSame(as: leaf.value)
    }
    guard isPart else { return false }
    return edit.steps.allSatisfy { step in
      let asked = now.intent.value(at: step.path)
      guard let after = step.after else { return asked == nil }
      if asked.meansSame(as: after) { return true }
      // Its default, or clamped to it: then it must be in effect as something else than before, or
      // have been it already.
      return asked == nil
        && (!now.effective.value(at: step.path).meansSame(as: step.effective)
          || before.effective.value(at: step.path).meansSame(as: after))
    }
  }

  private mutating func store(_ settings: BotSettings) {
    latest = settings
    state = .stored(SettingsStored(edit, before: before ?? settings, after: settings))
  }

  /// A change in an arbitrary state, for tests of its display.
  init(_ edit: SettingsEdit, state: State) {
    self.init(edit, base: nil)
    self.state = state
  }
}

/// The result of reading the settings.
enum SettingsRead {
  case settings(BotSettings)
  case failed(RequestFailure)

  init(_ result: Result<RestAnswer, RestFailure>) {
    switch result {
    case .failure(let failure): self = .failed(.unanswered(failure))
    case .success(let answer) where answer.isSuccess:
      self = BotSettings(body: answer.body).map { .settings($0) } ?? .failed(.unreadable)
    case .success(let answer): self = .failed(RequestFailure(refusal: answer))
    }
  }
}

extension BotSettings {
  /// Why the document must not be changed and sent back, as one sentence; nil if it may.
  package var writingProblem: String? {
    if let flaw { return flaw }
    if version.isEmpty { return "This is a preview without a version." }
    if intent.settings.contains(where: { leaf in
      leaf.value.serialized().contains(TokenText.standIn)
    }) {
      return
        "The settings hold the dashboard token, which is shown as \(TokenText.standIn) and could not "
        + "be written back as it is; take it out of them in the bot's own web form."
    }
    return nil
  }
}
