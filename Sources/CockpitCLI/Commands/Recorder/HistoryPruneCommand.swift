import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitSinks
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `history prune`: removes day files, or partitions of a shared history.
struct HistoryPruneCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove the oldest day files; never the newest, nor pinned ones.",
    usage: """
      clanky-cockpit history prune [--keep AGE] [--max SIZE] [OPTIONS]
      clanky-cockpit history prune --shared SINK --keep AGE [--yes] [OPTIONS]
      """,
    discussion: """
      --shared removes from the PostgreSQL database of a sink instead: the months of all bots that are older than --keep as a \
      whole. The role of the sink's dsn has to own the tables, as for 'sinks init'. What goes is listed, and you are asked.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Option(help: ArgumentHelp("Keep what is younger, such as 24h or 30d.", valueName: "AGE"))
  var keep: String?

  @Option(help: ArgumentHelp("Keep at most so much, such as 1GiB.", valueName: "SIZE"))
  var max: String?

  @Option(
    name: .customLong("shared"),
    help: ArgumentHelp("Remove from the database of this sink.", valueName: "SINK"))
  var sink: String?

  @Flag(help: "Say what would go, and remove nothing.")
  var dryRun = false

  @Flag(name: .shortAndLong, help: "With --shared: do not ask.")
  var yes = false

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func validate() throws {
    if sink != nil {
      guard keep != nil, max == nil else {
        throw ValidationError("--shared goes with --keep alone")
      }
    }
    guard keep != nil || max != nil else { throw ValidationError("say --keep, --max, or both") }
    guard !yes || sink != nil else { throw ValidationError("--yes goes with --shared") }
    if let keep, KeptAmount.age(keep) == nil {
      throw ValidationError("--keep is an age such as 24h or 30d")
    }
    if let max, KeptAmount.size(max) == nil {
      throw ValidationError("--max is a size of 16MiB or more, such as 1GiB")
    }
  }

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    if let sink, let keepMs = keep.flatMap(KeptAmount.age) {
      return try prune(sink, beforeMs: nowMs - keepMs, settings, environment)
    }
    let folder = try history.path(settings)
    let gone = try reading { () throws(HistoryError) in
      try HistoryUpkeep.prune(
        folder, keepMs: keep.flatMap(KeptAmount.age), maxBytes: max.flatMap(KeptAmount.size),
        nowMs: nowMs, isTrial: dryRun)
    }
    for file in gone {
      guard json else {
        environment.output.line(
          PlainText(file.name, limit: 60).padded(to: 16) + "  " + Figures.bytes(file.bytes)
            + (dryRun ? "  would go" : "  removed"))
        continue
      }
      var object = JSONObjectWriter()
      object.string("name", file.name)
      object.int("bytes", file.bytes)
      object.bool("removed", !dryRun)
      environment.output.line(object.finish())
    }
    if gone.isEmpty, !json { environment.output.complain("nothing has to go") }
  }

  // MARK: a shared history

  private func prune(
    _ name: String, beforeMs: Int64, _ settings: Settings, _ environment: Environment
  ) throws(Failure) {
    guard let (_, sink) = try settings.sinks(named: [name]).first else { return }
    guard sink.kind == .postgres, let dsn = sink.dsn else {
      throw Failure(
        .usage,
        sink.kind == .clickhouse
          ? "ClickHouse removes rows by the table's own TTL; change it there"
          : "the sink '\(name)' is no shared history")
    }
    let parts = try asking { () throws(SinkProblem) in
      try PostgresRetention.parts(dsn: dsn, beforeMs: beforeMs)
    }
    guard !parts.isEmpty else {
      if !json { environment.output.complain("nothing has to go") }
      return
    }
    if dryRun || !yes {
      for part in parts { write(part, isRemoved: false, environment) }
      guard !dryRun else { return }
    }
    try agree(parts.count, name, environment)
    try asking { () throws(SinkProblem) in
      try PostgresRetention.remove(parts, dsn: dsn, beforeMs: beforeMs) {
        write($0, isRemoved: true, environment)
      }
    }
  }

  private func asking<Value>(
    _ work: () throws(SinkProblem) -> Value
  ) throws(Failure) -> Value {
    do throws(SinkProblem) {
      return try work()
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  private func write(
    _ part: PostgresRetention.Part, isRemoved: Bool, _ environment: Environment
  ) {
    guard json else {
      let what: PlainText =
        part.rows.map { Figures.count($0) + " rows outside the monthly partitions" }
        ?? PlainText("\(part.from) to \(part.to)", limit: 40)
      environment.output.line(
        PlainText(part.name, limit: 60).padded(to: 16) + "  " + what + "  "
          + Figures.bytes(part.bytes) + (isRemoved ? "  removed" : "  would go"))
      return
    }
    var object = JSONObjectWriter()
    object.string("name", part.name)
    object.string("from", part.from.isEmpty ? nil : part.from)
    object.string("to", part.to.isEmpty ? nil : part.to)
    object.int("rows", part.rows)
    object.int("bytes", part.bytes)
    object.bool("removed", isRemoved)
    environment.output.line(object.finish())
  }

  private func agree(
    _ count: Int, _ name: String, _ environment: Environment
  ) throws(Failure) {
    guard !yes else { return }
    guard environment.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --yes")
    }
    environment.output.prompt(
      "Remove \(count == 1 ? "it" : "them") from the shared history of '\(name)', for all bots? This cannot be undone. [y/N] "
    )
    let typed = environment.readLine()?.trimmingCharacters(in: .whitespaces).lowercased()
    guard typed == "y" || typed == "yes" else { throw Failure(.failed, "Nothing was removed.") }
  }
}
