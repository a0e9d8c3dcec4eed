package import ClankyWire
import Observation

/// The backend data that CMD shows besides the streams, and the state of its operations. Written
/// only by `OperationsService`, the log only by `ClientLogRecorder`.
@MainActor
@Observable
package final class OperationsStore {
  /// The bot's guilds. An empty list does not prove that there are none (contract 7.5).
  package internal(set) var guilds = Fetched<[Guild]>.none
  /// The channels of a guild.
  package internal(set) var channels: [String: Fetched<[Channel]>] = [:]
  /// The automations of a guild: the route wants one (contract 3.2, 18).
  package internal(set) var automations: [String: Fetched<AutomationPage>] = [:]
  /// The runs of an automation, by its id.
  package internal(set) var runs: [Int: Fetched<AutomationRunPage>] = [:]
  /// Runs of the browser agent in the last 24 h.
  package internal(set) var browserSessions = Fetched<BrowserSessionPage>.none
  /// Which accounts are connected; `notServed` by a backend of March.
  package internal(set) var accounts = Fetched<OAuthStatus>.none
  /// The settings: which providers have credentials.
  package internal(set) var settings = Fetched<SettingsEnvelope>.none

  /// The last request to join voice.
  package internal(set) var join = Progress<JoinResult>.none
  /// The last request to regenerate the operator's summary of the memory.
  package internal(set) var memoryRefresh = Progress<Bool>.none
  /// Whether the backend has a route to leave voice; `LeaveText` explains. nil until the user has
  /// asked the bot to leave, which is the only way to find out.
  package internal(set) var canLeave: Bool?
  /// The last request to leave voice.
  package internal(set) var leave = Progress<Bool>.none

  /// This program's own events, newest last.
  package internal(set) var log = ClientHistory()

  package init() {}
}

/// The state of a single operation: not started, in flight, or ended. Times are in ms since 1970 on
/// this machine's clock.
package enum Progress<Value: Sendable>: Sendable {
  case none
  case underWay(sinceMs: Int64)
  case ended(Value, atMs: Int64)
  case failed(ChangeFailure, atMs: Int64)

  package var isUnderWay: Bool { if case .underWay = self { true } else { false } }
}

/// Why a change was not made, or may not have been made.
package struct ChangeFailure: Error, Hashable, Sendable {
  /// What happened and what to do, one sentence or two.
  package var sentence: String
  package var cause: RequestFailure

  package init(_ sentence: String, _ cause: RequestFailure) {
    self.sentence = sentence
    self.cause = cause
  }

  package init(_ cause: RequestFailure) { self.init(cause.sentence, cause) }
}
