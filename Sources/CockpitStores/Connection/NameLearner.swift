internal import ClankyWire
internal import LenientJSON
package import CockpitDomain
package import Networking
import Observation

/// Collects the names of guilds, channels and users for the `ConnectionStore`: guilds and channels
/// are requested once, users are named by voice sessions, rows of the log, memory and automations.
@MainActor
@Observable
package final class NameLearner {
  private let connection: ConnectionStore
  private let voice: VoiceStore
  private let memory: MemoryStore
  private let command: OperationsStore
  private let channel: any RequestChannel
  private let clock: any LinkClock
  private let nameRequests = NameRequests()
  @ObservationIgnored private var knownReflections: Int?
  @ObservationIgnored private var hasRequested = false
  /// Requests for names that have no answer yet.
  package private(set) var openRequests = 0

  /// A bot is in a handful of guilds; a hostile list does not become a flood of requests.
  private static let maxGuilds = 50

  package init(
    _ connection: ConnectionStore, voice: VoiceStore, memory: MemoryStore, command: OperationsStore,
    channel: any RequestChannel, clock: any LinkClock
  ) {
    self.connection = connection
    self.voice = voice
    self.memory = memory
    self.command = command
    self.channel = channel
    self.clock = clock
  }

  /// Adds the names seen since the last call, and requests those of guilds and channels once the
  /// backend is connected; they hardly ever change.
  ///
  /// - Parameter rowBudget: maximum number of rows to parse.
  package func catchUp(with log: ActionLog, rowBudget: Int = 50) {
    for (id, told) in voice.log.takeNames() {
      connection.learn(user: id, name: told.name, atMs: told.atMs)
    }
    nameRequests.follow(log, into: connection, budget: rowBudget)
    learnPeopleOfMemory()
    learnPeopleOfAutomations()
    requestGuilds()
  }

  // MARK: Guilds and channels

  private func requestGuilds() {
    guard !hasRequested,
      connection.status.overall == .live || connection.status.overall == .polling
    else { return }
    hasRequested = true
    request(RequestTarget(["api", "guilds"])) { [weak self] list in
      guard let self else { return }
      let guilds = (list ?? []).compactMap(Guild.init)
      connection.learn(guilds: guilds)
      for id in guilds.compactMap(\.id).prefix(Self.maxGuilds) { requestChannels(of: id) }
    }
  }

  private func requestChannels(of guild: String) {
    request(RequestTarget(["api", "guilds", guild, "channels"])) { [weak self] list in
      guard let self, let list else { return }
      connection.learn(channels: list.compactMap(Channel.init))
    }
  }

  private func request(_ target: RequestTarget, _ take: @escaping @MainActor ([JSONValue]?) -> Void)
  {
    openRequests += 1
    channel.request(RestRequest(.get, target)) { [weak self] result in
      take(Self.list(result))
      self?.openRequests -= 1
    }
  }

  private static func list(_ result: Result<RestAnswer, RestFailure>) -> [JSONValue]? {
    guard case .success(let answer) = result, answer.isSuccess else { return nil }
    return (try? JSONValue.parse(answer.body, sparesRows: true))?.array
  }

  // MARK: People

  /// The answers about a person and the reflections name people too (contract 6.5 to 6.7).
  private func learnPeopleOfMemory() {
    func learn(_ id: String?, _ name: String?, _ time: WireTime? = nil) {
      guard let id, let name, PersonNames.isName(name) else { return }
      let nowMs = connection.status.serverMs(clock.wallMs)
      connection.learn(user: id, name: name, atMs: time?.milliseconds ?? nowMs)
    }
    if let profile = memory.profile.value {
      for person in profile.activeVoiceSession?.participants ?? [] {
        learn(person.userID, person.displayName)
      }
      for window in profile.promptContext.recentConversationHistory {
        learn(window.authorID, window.authorName, window.createdAt)
      }
    }
    for person in memory.recall.value?.participants ?? [] {
      learn(person.userID, person.displayName)
    }
    guard let runs = memory.reflections.value?.runs, knownReflections != runs.count else { return }
    knownReflections = runs.count
    for run in runs {
      for fact in run.savedFacts + run.skippedFacts where fact.subject == .author {
        learn(fact.userID, fact.subjectName, run.startedAt)
      }
    }
  }

  /// An automation names its creator (contract 7.4).
  private func learnPeopleOfAutomations() {
    for page in command.automations.values {
      for automation in page.value?.rows ?? [] {
        guard let id = automation.createdByUserID, let name = automation.createdByName,
          PersonNames.isName(name)
        else { continue }
        connection.learn(
          user: id, name: name,
          atMs: (automation.updatedAt ?? automation.createdAt)?.milliseconds ?? 0)
      }
    }
  }
}
