import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `facts reflections`: the runs in which the bot went through a day.
struct FactsReflectionsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "reflections",
    abstract: "List the reflection runs: when, what they saved, what they cost.",
    usage: "clanky-cockpit facts reflections [--guild ID] [OPTIONS]",
    discussion: "The backend lists 100 at most. A current one writes no runs any more.")

  @OptionGroup var shared: SharedOptions

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let session = try await FactsSession(settings, takesOwnerPrivate: false)
    let page = try await session.reflections()
    for run in page.runs {
      if json {
        environment.output.line(Self.record(run))
      } else {
        environment.output.line(line(run, settings.clock))
      }
    }
    if page.omitted > 0 {
      environment.output.complain("\(page.omitted) runs could not be read and are left out.")
    }
  }

  private func line(_ run: ReflectionRun, _ clock: ClockFormat) -> PlainText {
    let at = (run.completedAt ?? run.erroredAt ?? run.startedAt)?.milliseconds
    let words: [PlainText] = [
      PlainText(run.runID ?? "-", limit: 80), PlainText(run.dateKey ?? "-", limit: 20),
      at.map { clock.day(ms: $0) + " " + clock.time(ms: $0) } ?? "-",
      PlainText(run.status?.rawValue ?? "-", limit: 20),
      Figures.count(run.factsSaved) + " saved", Figures.count(run.factsSkipped) + " skipped",
      Figures.cost(run.usdCost),
    ]
    return words.joined(separator: "  ")
  }

  private static func record(_ run: ReflectionRun) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("run", run.runID)
    line.string("day", run.dateKey)
    line.string("guild_id", run.guildID)
    line.string("status", run.status?.rawValue)
    line.string("started_at", run.startedAt?.iso)
    line.string("ended_at", (run.completedAt ?? run.erroredAt)?.iso)
    if let saved = run.factsSaved { line.int("saved", saved) }
    if let skipped = run.factsSkipped { line.int("skipped", skipped) }
    line.string("model", run.model ?? run.extractorModel)
    return line.finish()
  }
}

extension FactsSession {
  /// The reflection runs of the selected guild, or of all.
  func reflections() async throws(Failure) -> ReflectionPage {
    memoryService.perform(.loadReflections(guild: settings.guild))
    try await wait { [store] in !store.reflections.isLoading }
    switch store.reflections {
    case .loaded(let page, _): return page
    case .notServed: throw Failure(.failed, "This backend has no reflections.")
    case .failed(let failure, _): throw Failure(failure)
    case .none, .loading: throw Failure(.failed, "The reflections were not asked for.")
    }
  }
}
