import ArgumentParser
import ClankyWire
import CockpitAnswers
import CockpitSession
import CockpitStores
import CockpitText
import Networking
import TerminalCore

/// `why`: why the bot said that, or why it was silent.
struct WhyCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Why the bot said that, or why it was silent.",
    usage: "clanky-cockpit why ID|last|silent|NAME|HH:MM|WORDS [OPTIONS]",
    discussion: """
      ID is the id of a row (of 'actions --json'), of a message in Discord, or of a voice session, \
      whose last turn is meant; silent means the newest silence. NAME and WORDS find the newest exchange of that person, or with \
      these words in what was said. One sentence, then the steps down to where it stopped, what it \
      cost, what was slow, the facts in front of the model, and what to do next. Every row that \
      something rests on is named by its id.

      Looks among the newest 1,000 rows, then among those of 24 hours, or of --since. What is not \
      on record is said to be unknown. With --from-history or --at it looks in what was recorded, \
      and further back there.

      Examples:
        clanky-cockpit why last
        clanky-cockpit why 14:31
        clanky-cockpit why 'which fuse' --json | jq .sentence
        clanky-cockpit why silent --at 02:00

      Exits with 1 when nothing is on record.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Argument(
    help: ArgumentHelp("An id, 'last', a name, a time, or words.", valueName: "SUBJECT"))
  var subject: [String]

  @Option(
    help: ArgumentHelp("Look back DURATION, such as 2h, 3d.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  private static let day = HistoryDuration(milliseconds: 86_400_000)

  func validate() throws {
    let text = subject.joined(separator: " ")
    guard !text.isEmpty, text.utf8.count <= 400 else {
      throw ValidationError("say what is meant: an id, last, a name, a time, or words")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let subject = WhySubject(subject.joined(separator: " "))
    let why: Why?
    let window: String
    if let recorded = try past.open(settings) {
      let rows = try RecordedWhy(recorded)
      why = try await rows.why(subject, since: since)
      window = rows.window
    } else {
      let rows = WhyPast(try await RestSession(settings))
      try await rows.load(since: since)
      var found = await rows.why(subject)
      if since == nil, rows.isBeginningMissing(found?.exchange) {
        try await rows.load(since: Self.day)
        found = await rows.why(subject) ?? found
      }
      (why, window) = (found, rows.window)
    }
    guard let why else {
      throw Failure(
        .failed, "Nothing on record \(subject.words). Looked among \(window).")
    }
    func lines() -> [PlainText] {
      WhyText(why, clock: settings.clock).lines(width: 100) + [PlainText("seen       \(window)")]
    }
    if json {
      environment.output.line(WhyJSON(why).line)
      environment.also(lines())
      return
    }
    for line in lines() { environment.output.line(line) }
  }
}

/// The rows that an answer is looked for in, as far as they were fetched.
@MainActor
private final class WhyPast {
  private let session: RestSession
  private let past: PastActions
  private let voice = VoiceStore()
  private var names: NameTable?
  private var facts: [String: [Fact]] = [:]
  /// When the newest rows were asked for, in ms since 1970.
  private var askedMs: Int64 = 0
  private var missing: [String] = []

  /// An exchange that begins so soon after the oldest row may lack its first ones, in ms.
  private static let edgeMs: Int64 = 120_000

  init(_ session: RestSession) {
    self.session = session
    past = PastActions(session)
  }

  func load(since: HistoryDuration?) async throws(Failure) {
    askedMs = session.nowMs
    try await past.load(since: since, kinds: []) { since == nil }
    voice.follow(past.log)
    names = nil
    missing = past.missing(
      session.settings.clock, sinceMs: since.map { askedMs - $0.milliseconds } ?? askedMs,
      isWanted: { _ in true })
  }

  /// Whether an older row could belong to it, or be what is looked for.
  func isBeginningMissing(_ exchange: Exchange?) -> Bool {
    guard past.newestBeginMs != nil else { return false }
    guard let exchange else { return true }
    return past.log.oldestMs.map { exchange.startMs - $0 < Self.edgeMs } ?? true
  }

  func why(_ subject: WhySubject) async -> Why? {
    let known = await loadedNames()
    let rows = rows(known).indexed()
    guard let found = rows.find(subject, session.settings.clock) else { return nil }
    guard let guild = found.guildID, found.prompt != nil else { return Why(found) }
    await loadFacts(of: guild)
    // Once more, with the facts that may stand in its prompt.
    let again = self.rows(known, facts: facts[guild] ?? []).exchange(found.key)
    return Why(again ?? found)
  }

  private func rows(_ names: NameTable, facts: [Fact] = []) -> ExchangeRows {
    var rows = ExchangeRows(
      past.log, voice: voice, names: names, facts: facts, hasNewest: true, nowMs: askedMs)
    rows.scope = GuildScope(session.settings.guild)
    return rows
  }

  private func loadedNames() async -> NameTable {
    if let names { return names }
    let loaded = await session.names(in: past.log)
    names = loaded
    return loaded
  }

  private func loadFacts(of guild: String) async {
    guard facts[guild] == nil else { return }
    let target = RequestTarget(
      ["api", "memory", "facts"], query: [.init("guildId", guild), .init("limit", "500")])
    facts[guild] = await session.nice(target).flatMap(FactPage.init)?.facts ?? []
  }

  /// What was looked at, such as `1,000 rows since 05-09 14:02`.
  var window: String {
    let count = "\(Figures.count(past.log.count)) rows"
    guard let oldest = past.log.oldestMs else { return count }
    let clock = session.settings.clock
    let from = "\(clock.monthDay(ms: oldest)) \(clock.time(ms: oldest))"
    let gaps = missing.isEmpty ? "" : ", of which some may be missing"
    return "\(count) since \(from)\(gaps)"
  }
}
