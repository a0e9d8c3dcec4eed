import Networking
import CockpitStores
import LenientJSON
import TerminalCore

/// A summary of a bot: the content of `status`, of a status bar, and of a widget's cache. Unknown
/// figures are nil, never 0.
package struct BotOverview: Hashable, Sendable {
  /// The bot's health according to one round of requests. The raw values are the words of `status
  /// --json`.
  package enum Health: String, CaseIterable, Sendable {
    case healthy
    /// The backend answers, and something is wrong with it or missing from its answers.
    case degraded
    /// No answer, or not from a Clanky backend.
    case unreachable
    /// The token is missing or wrong.
    case unauthorized

    /// The exit code of `status` and `widget` (command-line contract).
    package var exitCode: Int32 {
      switch self {
      case .healthy: 0
      case .degraded: 1
      case .unreachable: 3
      case .unauthorized: 4
      }
    }
  }

  /// The actions of the last hour.
  package struct Activity: Hashable, Sendable {
    package var actions: Int
    /// Those that failed, by the rule of PULSE.
    package var failures: Int
    /// The backend lists 1,000 rows at most: there were at least this many.
    package var isCapped: Bool

    package init(actions: Int, failures: Int, isCapped: Bool) {
      self.actions = actions
      self.failures = failures
      self.isCapped = isCapped
    }
  }

  /// A live voice session.
  package struct Session: Hashable, Sendable {
    package var sessionID: String
    package var guildID: String?
    package var channelID: String?
    /// nil until the channels of its guild were requested.
    package var channel: String?
    /// All users except the bot.
    package var people: Int?
    /// `ACTIVE` or `AMBIENT`.
    package var attention: String?
    /// Milliseconds since 1970, on the backend's clock.
    package var startedAtMs: Int64?
    /// The bot's last reply, cut to `BotOverview.textLimit` scalars.
    package var lastReply: String?

    package init(sessionID: String) { self.sessionID = sessionID }
  }

  /// One of the newest actions.
  package struct Row: Hashable, Sendable {
    /// Milliseconds since 1970, on the backend's clock.
    package var atMs: Int64
    package var kind: String
    /// As in the feed: in capitals, the event of a container kind.
    package var label: String
    package var text: String
    package var isFailure: Bool

    package init(atMs: Int64, kind: String, label: String, text: String, isFailure: Bool) {
      self.atMs = atMs
      self.kind = kind
      self.label = label
      self.text = text
      self.isFailure = isFailure
    }
  }

  /// One promise of `[slo]`, in the words of the screen.
  package struct PromiseLine: Hashable, Sendable {
    package var name: String
    /// `kept`, `burning`, `broken`, `too_few`, `unknown`.
    package var verdict: String
    package var sentence: String
    /// All of it.
    package var json: JSONValue

    package init(name: String, verdict: String, sentence: String, json: JSONValue) {
      self.name = name
      self.verdict = verdict
      self.sentence = sentence
      self.json = json
    }

    /// Whether it is broken, or will be at the present rate.
    package var isTrouble: Bool { verdict == "broken" || verdict == "burning" }
  }

  /// The exit code of a healthy bot that breaks a promise.
  package static let brokenPromise: Int32 = 5

  /// The exit code of `status` and `widget`.
  package var exitCode: Int32 {
    health == .healthy && promises.contains(where: \.isTrouble)
      ? Self.brokenPromise : health.exitCode
  }

  /// One trouble of the bot, in the words of the screen.
  package struct Trouble: Hashable, Sendable {
    /// The name of its rule.
    package var rule: String
    /// `info`, `warning` or `critical`.
    package var level: String
    package var sentence: String
    /// Milliseconds since 1970, on the backend's clock.
    package var sinceMs: Int64
    package var count: Int
    /// What to do.
    package var next: String?
    /// The backend's ids of the rows that it rests on; none for what answers alone tell.
    package var rows: [Int]

    package init(
      rule: String, level: String, sentence: String, sinceMs: Int64, count: Int, next: String?,
      rows: [Int] = []
    ) {
      self.rule = rule
      self.level = level
      self.sentence = sentence
      self.sinceMs = sinceMs
      self.count = count
      self.next = next
      self.rows = rows
    }
  }

  /// Unicode scalars that are kept of a text: more than a tooltip shows, far less than a conversation.
  package static let textLimit = 160
  /// The newest actions that a large widget shows, as many as the widget of the phone.
  package static let rowLimit = 8
  /// The window of `Activity`.
  package static let windowMinutes = 60

  package var health: Health
  /// What is wrong with the bot, the worst first, as far as its answers say; not kept in a cache.
  package var triage: [Trouble] = []
  /// The worst of it with onset, count and next step; not kept in a cache.
  package var worst: String?
  /// The promises of `[slo]`, as far as one look can tell; empty if none are made.
  package var promises: [PromiseLine] = []
  /// The forecast of the UTC day by recorded days, all of it; not kept in a cache.
  package var forecast: JSONValue?
  /// Its word, as in the header of the cockpit; nil until something was said of it.
  package var botWord: String?
  /// Why it is not healthy, in sentences.
  package var detail: String?
  /// The guild that actions, errors, cost and voice are about; nil for all.
  package var guildID: String?
  package var guild: String?
  /// The base URL.
  package var backend: String
  /// When the requests were sent, in ms since 1970 on our own clock.
  package var takenAtMs: Int64
  /// The backend's clock minus ours in ms; nil if it sent no date.
  package var skewMs: Int?
  package var activity: Activity?
  /// What the rows of the last hour say of the last minutes; not kept in a cache.
  package var figures = FleetFigures()
  /// US dollars since midnight UTC.
  package var costToday: Double?
  /// How long text replies took, as the backend sums it up; nil if it does not. Not kept in a cache.
  package var latency: ReplyLatency?
  /// The backend's own counts of 24 hours by kind; nil if it gave none. Not kept in a cache.
  package var last24h: [String: Int]?
  /// The live sessions; nil if they could not be read.
  package var sessions: [Session]?
  package var rows: [Row] = []
  /// The newest row that was read, in ms since 1970 on the backend's clock.
  package var newestRowMs: Int64?
  /// Whether the Discord client is ready.
  package var isReady: Bool?
  package var guildCount: Int?
  /// Time to the header of the first answer, ms.
  package var latencyMs: Double?

  package init(health: Health, backend: String, takenAtMs: Int64, detail: String? = nil) {
    self.health = health
    self.backend = backend
    self.takenAtMs = takenAtMs
    self.detail = detail
  }

  /// A moment of ours on the backend's clock, in ms since 1970. Below 5 s a difference is more
  /// likely a slow answer than a wrong clock (promise P10).
  package func backendMs(_ ownMs: Int64) -> Int64 {
    guard let skewMs, skewMs.magnitude > 5000,
      !ClockSkew.isDoubtful(skewMs, newestRowMs: newestRowMs, wallMs: takenAtMs)
    else { return ownMs }
    return ownMs.addingReportingOverflow(Int64(skewMs)).partialValue
  }
}
