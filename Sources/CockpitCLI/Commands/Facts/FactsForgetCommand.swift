import ArgumentParser
import ClankyWire
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import Networking
import TerminalCore

/// `facts forget`: takes a person out of the bot's memory and out of what was recorded, with one receipt.
struct FactsForgetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "forget",
    abstract: "Forget a person: their facts, and what was recorded of them.",
    usage: "clanky-cockpit facts forget PERSON [--count N | --dry-run] [OPTIONS]",
    discussion: """
      PERSON is an id or any name that is known. All facts about them go, of all guilds and the owner's private ones; \
      then 'history forget' takes them out of the recording on this machine. One receipt says what is gone, read again \
      from the backend and from the files, what mentions them and stays, and what could not be reached.

      You are asked to type how many facts go; --count N says it beforehand, and nothing is done if it is another \
      number. --dry-run counts, and changes nothing. An interrupted run is continued by the same line: \
      what is gone is not deleted twice.

      Names that are common words are found in recorded sentences that do not mean the person: --except leaves \
      such a name in the recording.

      Exits with 0 only when all was looked for again and nothing about them was found.
      """)

  @OptionGroup var options: FactsOptions

  @Argument(help: ArgumentHelp("An id or a name.", valueName: "PERSON"))
  var person: String

  @Option(help: ArgumentHelp("How many facts are to go; without it you are asked.", valueName: "N"))
  var count: Int?

  @Option(
    help: ArgumentHelp(
      "Change nothing for so long, at most 10m: an interruption takes it back.",
      valueName: "DURATION"))
  var hold: String?

  @Flag(help: "Count, and change nothing.")
  var dryRun = false

  @Option(
    help: ArgumentHelp("A name that stays in the recording; may be repeated.", valueName: "NAME"))
  var except: [String] = []

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  func validate() throws {
    guard count.map({ $0 >= 0 }) ?? true else { throw ValidationError("--count is 0 or more") }
    guard count == nil || !dryRun else {
      throw ValidationError("choose one of --count and --dry-run")
    }
    if let hold {
      guard !dryRun, let duration = HistoryDuration(hold), duration.milliseconds <= 600_000 else {
        throw ValidationError("--hold is 10m at most, and not for --dry-run")
      }
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    var settings = try Settings(options.shared, in: environment)
    if !dryRun { try FactsSession.permitWriting(settings, options) }
    guard dryRun || count != nil || environment.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --count N")
    }
    guard settings.options.guild == nil || settings.guild == nil else {
      throw Failure(.usage, "a person is forgotten in all guilds; leave --guild out")
    }
    // The guild of the profile does not limit it.
    settings.options.guild = Settings.allGuilds
    let holdMs = hold.flatMap { HistoryDuration($0) }?.milliseconds ?? 0
    environment.needs(seconds: HistoryForgetCommand.patience + Int(holdMs / 1000))
    var receipt = ForgetReceipt(person: person)
    let recording = try recording(of: settings)
    var isInterrupted = false
    if let recording {
      isInterrupted = try reading { () throws(HistoryError) in
        try !recording.unfinished().isEmpty
      }
      receipt.known = try await Self.known(person, Set(except), in: recording)
    }
    let session = try await FactsSession(settings, takesOwnerPrivate: true)
    try await session.load()
    let names = try ForgottenNames(person, receipt.known, in: session)
    let facts = names.own(of: session)
    receipt.mentions = names.mentions(in: session).compactMap(\.id)
    guard !facts.isEmpty || receipt.known != nil || isInterrupted && !dryRun else {
      throw Failure(
        .failed,
        "No fact is about '\(person)', and nothing that was recorded names them. "
          + (receipt.mentions.isEmpty ? "" : "\(receipt.mentions.count) facts mention them."))
    }
    let text = ForgetReceiptText(output: environment.output, json: json, session: session)
    guard !dryRun else { return text.writePlan(receipt, facts) }
    try confirm(facts.count, receipt, text, facts, settings, in: environment)
    try await wait(ms: holdMs, in: environment)
    if let recording, isInterrupted {
      receipt.recorded = try await Self.away { () throws(HistoryError) in try recording.resume() }
      receipt.known = try await Self.known(person, Set(except), in: recording)
    }
    try await delete(facts, into: &receipt, session)
    if let recording, let known = receipt.known {
      receipt.recorded.append(
        try await Self.away { () throws(HistoryError) in try recording.forget(known) })
    }
    receipt.hasRecording = recording != nil
    await readAgain(names, into: &receipt, settings)
    text.write(receipt)
    guard receipt.isClean else {
      throw Failure(.failed, "Something is left, or could not be looked for: run it again.")
    }
  }

  /// `5 facts are`, `one fact is`
  static func facts(_ count: Int) -> String { count == 1 ? "one fact is" : "\(count) facts are" }

  /// The recording of the bot; nil if there is none.
  private func recording(of settings: Settings) throws(Failure) -> HistoryForget? {
    let bot = try settings.backendURL().description
    guard let folder = settings.historyFolder(of: bot) else { return nil }
    do throws(HistoryError) {
      return try HistoryForget(folder) { Int64(Date().timeIntervalSince1970 * 1000) }
    } catch {
      guard error.reason == .missing else { throw Failure(error) }
      return nil
    }
  }

  /// The person as the recording knows them; nil if it does not.
  private static func known(
    _ person: String, _ excepted: Set<String>, in recording: HistoryForget
  ) async throws(Failure) -> HistoryForget.Person? {
    let found = await OwnThread.run { () -> Result<HistoryForget.Person, HistoryError> in
      Result { () throws(HistoryError) in try recording.person(person, except: excepted) }
    }
    do throws(HistoryError) { return try found.get() } catch {
      guard error.reason == .missing else { throw Failure(error) }
      return nil
    }
  }

  @MainActor private func confirm(
    _ number: Int, _ receipt: ForgetReceipt, _ text: ForgetReceiptText, _ facts: [Fact],
    _ settings: Settings, in environment: Environment
  ) throws(Failure) {
    var typed = count
    if typed == nil {
      text.remark(receipt, facts)
      environment.output.prompt(
        PlainText(
          "This cannot be undone. Type the number of facts that go (\(number)) to go on: "))
      typed = settings.process.readLine().flatMap {
        Int($0.trimmingCharacters(in: .whitespaces))
      }
    }
    guard typed == number else {
      throw Failure(
        .failed,
        "Nothing was changed: \(Self.facts(number)) about them, and another number was given.")
    }
  }

  /// Waits before anything is changed. In a shell C-c ends the program meanwhile.
  private func wait(ms: Int64, in environment: Environment) async throws(Failure) {
    guard let hold, ms > 0 else { return }
    if !json {
      environment.output.remark(
        PlainText("Held for \(hold): C-c takes it back.", limit: 100))
    }
    do {
      try await Task.sleep(for: .milliseconds(ms))
    } catch {
      throw Failure(.failed, "Nothing was changed: it was taken back.")
    }
  }

  @MainActor private func delete(
    _ facts: [Fact], into receipt: inout ForgetReceipt, _ session: FactsSession
  ) async throws(Failure) {
    let ids = facts.compactMap(\.id)
    guard !ids.isEmpty else { return }
    guard let deletion = try await session.delete(ids) else {
      throw Failure(.failed, session.store.undoProblem ?? "Nothing was changed.")
    }
    receipt.deleted = deletion.deleted.sorted()
    receipt.goneAlready = deletion.goneAlready.sorted()
    receipt.problems = deletion.problems
  }

  /// Lists the facts anew: only what was looked for again can be said to be gone.
  @MainActor private func readAgain(
    _ names: ForgottenNames, into receipt: inout ForgetReceipt, _ settings: Settings
  ) async {
    do {
      let session = try await FactsSession(settings, takesOwnerPrivate: true)
      try await session.load()
      receipt.left = names.own(of: session).compactMap(\.id)
      receipt.mentions = names.mentions(in: session).compactMap(\.id)
      let coverage = session.store.coverage(of: nil)
      receipt.isListWhole = coverage.isComplete && coverage.unreadable == 0
    } catch {
      receipt.notReadAgain = (error as? Failure)?.description ?? "the run was interrupted"
    }
  }

  private static func away<Value: Sendable>(
    _ work: @escaping @Sendable () throws(HistoryError) -> Value
  ) async throws(Failure) -> Value {
    let result = await OwnThread.run { Result { () throws(HistoryError) in try work() } }
    return try reading { () throws(HistoryError) in try result.get() }
  }
}

/// Who is meant, in facts.
@MainActor
struct ForgottenNames {
  /// Ids and names of subjects, in lower case.
  private var subjects: Set<String>
  private var matcher: PersonMatcher

  /// - Parameter known: what the recording knows of the person.
  init(
    _ person: String, _ known: HistoryForget.Person?, in session: FactsSession
  ) throws(Failure) {
    var words: Set<String> = [person]
    words.formUnion(known?.ids ?? [])
    words.formUnion(known?.names ?? [])
    let subject = try session.subject(person)
    guard FactSubject(special: subject) == nil else {
      throw Failure(.usage, "'\(person)' is no person; 'facts purge' deletes such a part")
    }
    words.insert(subject)
    if let name = session.name(of: subject) { words.insert(name) }
    subjects = Set(words.map { $0.lowercased() })
    let ids = Set(known?.ids ?? [])
    matcher = PersonMatcher(ids: ids, names: words.subtracting(ids))
  }

  /// The facts about them.
  func own(of session: FactsSession) -> [Fact] {
    session.facts(FactViewQuery()).filter { fact in
      fact.subject.map { subjects.contains($0.lowercased()) } ?? false
    }
  }

  /// The facts about others that name them.
  func mentions(in session: FactsSession) -> [Fact] {
    let own = Set(own(of: session).compactMap(\.id))
    return session.facts(FactViewQuery()).filter { fact in
      fact.id.map { !own.contains($0) } ?? true && matcher.isIn(fact.fact ?? "")
    }
  }
}
