import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `history forget`: takes a person out of what was recorded.
struct HistoryForgetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Take a person out of what was recorded, for good.",
    usage: "clanky-cockpit history forget PERSON [--dry-run] [OPTIONS]",
    discussion: """
      PERSON is an id or any name ever seen. Of their own rows time, kind, cost and durations stay. \
      Everywhere else their id and every name ever seen for it become a pseudonym such as person-7f3a; a \
      prompt or a transcript that names them is replaced as a whole, because prompts quote people; facts \
      about them go. Marks and pins too.

      Files are rewritten one after the other while a recorder goes on. An interrupted run is continued by the next one; \
      --continue does nothing else. Afterwards all is searched again.

      Names that are common words are found in sentences that do not mean the person: look with --dry-run, and \
      leave such a name out with --except.

      Exits with 0 only when the search finds nothing; 1 when something is left, or nobody by that name is known.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(help: ArgumentHelp("An id or a name.", valueName: "PERSON"))
  var person: String?

  @Flag(help: "Count what would change, by day, and change nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("A name that stays; may be repeated.", valueName: "NAME"))
  var except: [String] = []

  @Flag(name: .customLong("continue"), help: "Continue interrupted runs, and do nothing else.")
  var continues = false

  @Flag(name: .shortAndLong, help: "Do not ask.")
  var yes = false

  @Flag(help: "One JSON object, ASCII only.")
  var json = false

  func validate() throws {
    guard continues == (person == nil) else {
      throw ValidationError(continues ? "--continue takes no PERSON" : "say who is to be forgotten")
    }
    guard !continues || !dryRun else { throw ValidationError("--continue has no --dry-run") }
  }

  /// How long rewriting a recording may take beside a screen, in s: some 45 s a GB.
  static let patience = 900

  func run(in environment: Environment) async throws {
    environment.needs(seconds: Self.patience)
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    let forget = try reading { () throws(HistoryError) in
      try HistoryForget(folder) { Int64(Date().timeIntervalSince1970 * 1000) }
    }
    let text = ForgetText(output: environment.output, json: json)
    var isClean = true
    if !dryRun {
      let receipts = try await Self.away { () throws(HistoryError) in try forget.resume() }
      for receipt in receipts {
        text.write(receipt)
        isClean = isClean && receipt.isClean
      }
      if continues, receipts.isEmpty {
        throw Failure(.failed, "No run was interrupted in \(folder).")
      }
    }
    if let name = person {
      let excepted = Set(except)
      let found = try await Self.away { () throws(HistoryError) in
        try forget.person(name, except: excepted)
      }
      if dryRun {
        let days = try await Self.away { () throws(HistoryError) in try forget.plan(found) }
        return text.write(found, days)
      }
      try confirm(found, text, settings, in: environment)
      let receipt = try await Self.away { () throws(HistoryError) in try forget.forget(found) }
      text.write(receipt)
      isClean = isClean && receipt.isClean
    }
    guard isClean else {
      throw Failure(.failed, "Something is left: run it again, or `history verify` the files.")
    }
  }

  private func confirm(
    _ person: HistoryForget.Person, _ text: ForgetText, _ settings: Settings,
    in environment: Environment
  ) throws(Failure) {
    guard !yes else { return }
    guard environment.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --yes")
    }
    text.remark(person)
    environment.output.prompt("Forget them in all that was recorded? This cannot be undone. [y/N] ")
    let typed = settings.process.readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    guard typed == "y" || typed == "yes" else { throw Failure(.failed, "Nothing was changed.") }
  }

  private static func away<Value: Sendable>(
    _ work: @escaping @Sendable () throws(HistoryError) -> Value
  ) async throws(Failure) -> Value {
    let result = await OwnThread.run { Result { () throws(HistoryError) in try work() } }
    return try reading { () throws(HistoryError) in try result.get() }
  }
}

/// What `history forget` says.
struct ForgetText {
  var output: Output
  var json: Bool
  /// Whether the bot's facts about them are deleted already.
  var hasDeletedFacts = false

  /// What the bot itself still stores about the person.
  static let ofBot: PlainText =
    "the bot's own log, until its rows age out, and what a live voice session holds"

  private func names(_ person: HistoryForget.Person) -> PlainText {
    let all = person.ids + person.names
    return PlainText(all.joined(separator: ", "), limit: 2000)
  }

  /// Who is meant, before it is done.
  func remark(_ person: HistoryForget.Person) {
    output.remark("ids and names: " + names(person))
    for (name, others) in person.sharedNames.sorted(by: { $0.key < $1.key }) {
      output.remark(
        "! " + PlainText(name, limit: 200) + " is a name of "
          + PlainText(others.joined(separator: ", "), limit: 500)
          + " too: they lose it, unless --except names it")
    }
    if !person.shortNames.isEmpty {
      output.remark(
        "too short to be looked for in sentences: "
          + PlainText(person.shortNames.joined(separator: ", "), limit: 500))
    }
  }

  // MARK: the dry run

  func write(_ person: HistoryForget.Person, _ days: [HistoryForget.Day]) {
    guard !json else {
      var object = JSONObjectWriter()
      object.value("ids", .array(person.ids.map { .string($0) }))
      object.value("names", .array(person.names.map { .string($0) }))
      object.value("short_names", .array(person.shortNames.map { .string($0) }))
      object.value(
        "shared_names",
        .body(
          person.sharedNames.sorted { $0.key < $1.key }
            .map { ($0.key, .array($0.value.map { .string($0) })) }))
      object.value("days", .array(days.map(Self.json)))
      return output.line(object.finish())
    }
    remark(person)
    for day in days { output.line(Self.line(day)) }
    let own = days.reduce(0) { $0 + $1.ownRows }
    let rows = days.reduce(0) { $0 + $1.rows }
    let documents = days.reduce(0) { $0 + $1.documents }
    output.line(
      Figures.count(own) + " rows of theirs, " + Figures.count(rows)
        + " others and " + Figures.count(documents) + " documents that name them, in "
        + Figures.count(days.count) + " files; nothing was changed")
  }

  private static func line(_ day: HistoryForget.Day) -> PlainText {
    var line =
      PlainText(day.name, limit: 60).padded(to: 16) + "  " + Figures.count(day.ownRows)
      + " rows of theirs, " + Figures.count(day.rows) + " others, "
      + Figures.count(day.documents) + " documents"
    if day.links > 0 { line += ", " + Figures.count(day.links) + " link records" }
    if day.traces > 0 { line += ", " + Figures.count(day.traces) + " other traces" }
    return line
  }

  private static func json(_ day: HistoryForget.Day) -> JSONValue {
    .body([
      ("name", .string(day.name)), ("own_rows", .integer(day.ownRows)),
      ("rows", .integer(day.rows)),
      ("documents", .integer(day.documents)), ("links", .integer(day.links)),
      ("traces", .integer(day.traces)),
    ])
  }

  // MARK: the receipt

  func write(_ receipt: HistoryForget.Receipt) {
    guard !json else { return output.line(Self.json(receipt)) }
    let done =
      receipt.isContinued
      ? "an interrupted run was continued: " : "forgotten, now " as PlainText
    output.line(done + PlainText(receipt.pseudonym, limit: 40))
    output.line(
      "  " + Figures.count(receipt.tombstones)
        + " rows of theirs: time, kind, cost and durations are left")
    output.line(
      "  " + Figures.count(receipt.changedRows) + " other rows, "
        + Figures.count(receipt.changedDocuments) + " documents and "
        + Figures.count(receipt.changedNotes) + " notes no longer name them; "
        + Figures.count(receipt.removedDocuments) + " documents about them are gone")
    if receipt.lostRows > 0 {
      output.line(
        "  ! " + Figures.count(receipt.lostRows)
          + " damaged rows, which could not be looked into, are gone as well")
    }
    for day in receipt.left { output.line("  ! left: " + Self.line(day)) }
    for file in receipt.leftFiles {
      output.line("  ! left: bytes of " + PlainText(file, limit: 200))
    }
    if receipt.isClean {
      output.line(
        "  searched again in " + Figures.count(receipt.files)
          + " files, by ids, names, words and bytes: nothing is left")
    }
    if receipt.later > 0 {
      output.line(
        "  ! " + Figures.count(receipt.later)
          + " records of them were recorded since it began: run it again when they are gone")
    }
    output.line("what this cannot reach:")
    for path in receipt.exports {
      output.line("  the bundle " + PlainText(path, limit: 1000))
    }
    if receipt.exports.isEmpty {
      output.line("  bundles that were exported elsewhere: none is logged")
    }
    if hasDeletedFacts {
      output.line("  " + Self.ofBot)
    } else {
      output.line(
        "  the bot itself: `facts list --subject "
          + PlainText(Self.about(receipt.person), limit: 80)
          + "`, then `facts delete`, or `facts forget` for all of it; its own log")
    }
    output.line(
      "  the journal of MEMORY (`facts journal`), and blocks of the disk that the old files used: nobody overwrites them"
    )
  }

  private static func about(_ person: HistoryForget.Person) -> String {
    person.ids.first ?? person.names.first ?? "ID"
  }

  static func json(_ receipt: HistoryForget.Receipt) -> [UInt8] {
    var object = JSONObjectWriter()
    object.string("pseudonym", receipt.pseudonym)
    object.bool("continued", receipt.isContinued)
    object.int("files", receipt.files)
    object.int("own_rows", receipt.tombstones)
    object.int("rows", receipt.changedRows)
    object.int("documents", receipt.changedDocuments)
    object.int("removed_documents", receipt.removedDocuments)
    object.int("notes", receipt.changedNotes)
    object.int("damaged_rows_removed", receipt.lostRows)
    object.int("recorded_since", receipt.later)
    object.value("left", .array(receipt.left.map(json)))
    object.value("left_files", .array(receipt.leftFiles.map { .string($0) }))
    object.value("exports", .array(receipt.exports.map { .string($0) }))
    object.bool("clean", receipt.isClean)
    return object.finish()
  }
}
