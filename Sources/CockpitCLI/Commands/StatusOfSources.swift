import ArgumentParser
import CockpitDomain
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `status` for a profile with several sources: a line for each, asked at the same time.
@MainActor
struct StatusOfSources {
  private let settings: Settings
  private let json: Bool
  /// Whether each line has the values of the health strip, the source that is worst off first.
  private let isFleet: Bool
  private let limitMs: Int

  /// A source that was asked.
  private struct Answer: Sendable {
    var line: [UInt8]
    var complaints: [String]
    var code: Int32
    var fleet: FleetStatus
  }

  /// - Parameter limitMs: how long the answer of each source is waited for.
  init(_ settings: Settings, json: Bool, isFleet: Bool, withinMs limitMs: Int) {
    self.settings = settings
    self.json = json
    self.isFleet = isFleet
    self.limitMs = limitMs
  }

  /// Prints the lines in the order of the profile; with the strip in that of what is wrong.
  ///
  /// - Throws: the exit code of the worst.
  func run(in environment: Environment) async throws {
    let sources = try settings.settingsOfSources()
    let width = settings.sourceNames.map { PlainText($0, limit: 60).columns }.max() ?? 0
    let answers = await withTaskGroup(of: (Int, Answer).self) { group in
      for (index, source) in sources.enumerated() {
        group.addTask { (index, await answer(of: source, in: environment)) }
      }
      var answers: [Int: Answer] = [:]
      for await (index, answer) in group { answers[index] = answer }
      return answers
    }
    if Task.isCancelled { throw Failure.interrupted }
    if isFleet {
      let all = settings.sourceNames.indices.compactMap { answers[$0] }
      return try write(all, to: environment.output)
    }
    var codes: [Int32] = []
    for (index, name) in settings.sourceNames.enumerated() {
      guard let answer = answers[index] else { continue }
      let label = PlainText(name, limit: 60)
      let head = json ? [] : Array((label.padded(to: width) + "  ").description.utf8)
      environment.output.line(head + answer.line)
      for sentence in answer.complaints {
        environment.output.complain(label.description + ": " + sentence)
      }
      codes.append(answer.code)
    }
    throw ExitCode(Self.worst(codes))
  }

  private func write(_ answers: [Answer], to output: Output) throws {
    let places = answers.indices.sorted {
      (answers[$0].fleet.rank, $0) < (answers[$1].fleet.rank, $1)
    }
    let sorted = places.map { answers[$0] }
    if json {
      for answer in sorted { output.line(answer.line) }
    } else {
      for line in FleetStatus.lines(sorted.map(\.fleet)) {
        output.line(Array(line.description.utf8))
      }
    }
    throw ExitCode(Self.worst(answers.map(\.code)))
  }

  /// Adds to the line of a source what `--fleet` has more.
  private func add(_ fleet: FleetStatus, to line: inout JSONObjectWriter) {
    line.string("source", fleet.name)
    if isFleet { line.value("fleet", fleet.json) }
  }

  /// The code that asks most for the owner.
  static func worst(_ codes: [Int32]) -> Int32 {
    [2, 4, 3, 1, 5].first(where: codes.contains) ?? codes.first { $0 != 0 } ?? 0
  }

  private func answer(of source: Settings, in environment: Environment) async -> Answer {
    do {
      if source.opensChatServer { return try await chatServer(source, in: environment) }
      return source.isGateway
        ? try await gateway(source, in: environment) : try await bot(source, in: environment)
    } catch {
      let failure = error as? Failure ?? Failure(.failed, "\(error)")
      let name = (try? source.sourceName()) ?? source.profileName
      let fleet = FleetStatus(
        name: source.profileName, state: "unreachable", worst: failure.description,
        code: failure.code)
      var line = JSONObjectWriter()
      add(fleet, to: &line)
      line.string("state", "unreachable")
      line.string("detail", failure.description)
      return Answer(
        line: json
          ? line.finish()
          : Array(("UNREACHABLE  " + PlainText(name, limit: 200)).description.utf8),
        complaints: [failure.description], code: failure.code, fleet: fleet)
    }
  }

  private func gateway(_ source: Settings, in environment: Environment) async throws -> Answer {
    let opened = try await OpenedSource.open(source, on: environment.eventLoop)
    let model = CockpitModel(opened)
    let failure = await model.gatewayState(of: opened, withinMs: limitMs)
    opened.source.stop()
    let text = GatewayStatusText(model.bot.control, name: opened.name, failure: failure)
    let fleet = text.fleet(named: source.profileName)
    return Answer(
      line: json
        ? text.json(takenAtMs: environment.wallMs()) { add(fleet, to: &$0) }
        : Array(text.line.description.utf8),
      complaints: failure.map { [$0.description] } ?? text.complaints, code: text.exitCode,
      fleet: fleet)
  }

  private func chatServer(
    _ source: Settings, in environment: Environment
  ) async throws -> Answer {
    let result = try await ChatServerStatus.models(source, withinMs: limitMs, in: environment)
    let failure: Failure? =
      if case .failure(let failure) = result { ChatServerStatus.failed(failure) } else { nil }
    let fleet = FleetStatus(
      name: source.profileName, state: failure == nil ? "ok" : "unreachable", word: "chat",
      worst: failure?.description, code: failure?.code ?? 0)
    return Answer(
      line: try ChatServerStatus.line(source, result, json: json) { add(fleet, to: &$0) },
      complaints: failure.map { [$0.description] } ?? [], code: failure?.code ?? 0, fleet: fleet)
  }

  private func bot(_ source: Settings, in environment: Environment) async throws -> Answer {
    let backend = try await Backend.open(source, findsGuild: false)
    let fetch = OverviewFetch(backend, rows: json ? .ofHour : .none)
    let overview = try await fetch.run(withinMs: max(100, limitMs - 200))
    let fleet = FleetStatus(overview, named: source.profileName)
    return Answer(
      line: json
        ? overview.json { add(fleet, to: &$0) }
        : StatusCommand.line(overview, json: false, clock: source.clock),
      complaints: overview.detail.map { [$0] } ?? [], code: overview.exitCode, fleet: fleet)
  }
}
