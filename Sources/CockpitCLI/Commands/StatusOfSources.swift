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
  private let limitMs: Int

  /// A source that was asked.
  private struct Answer: Sendable {
    var line: [UInt8]
    var complaints: [String]
    var code: Int32
  }

  /// - Parameter limitMs: how long the answer of each source is waited for.
  init(_ settings: Settings, json: Bool, withinMs limitMs: Int) {
    self.settings = settings
    self.json = json
    self.limitMs = limitMs
  }

  /// Prints the lines in the order of the profile.
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
      var line = JSONObjectWriter()
      line.string("source", source.profileName)
      line.string("state", "unreachable")
      line.string("detail", failure.description)
      return Answer(
        line: json
          ? line.finish()
          : Array(("UNREACHABLE  " + PlainText(name, limit: 200)).description.utf8),
        complaints: [failure.description], code: failure.code)
    }
  }

  private func gateway(_ source: Settings, in environment: Environment) async throws -> Answer {
    let opened = try await OpenedSource.open(source, on: environment.eventLoop)
    let model = CockpitModel(opened)
    let failure = await model.gatewayState(of: opened, withinMs: limitMs)
    opened.source.stop()
    let text = GatewayStatusText(model.bot.control, name: opened.name, failure: failure)
    return Answer(
      line: json
        ? text.json(takenAtMs: environment.wallMs()) { $0.string("source", source.profileName) }
        : Array(text.line.description.utf8),
      complaints: failure.map { [$0.description] } ?? text.complaints, code: text.exitCode)
  }

  private func chatServer(
    _ source: Settings, in environment: Environment
  ) async throws -> Answer {
    let result = try await ChatServerStatus.models(source, withinMs: limitMs, in: environment)
    let failure: Failure? =
      if case .failure(let failure) = result { ChatServerStatus.failed(failure) } else { nil }
    return Answer(
      line: try ChatServerStatus.line(source, result, json: json, isOfSeveral: true),
      complaints: failure.map { [$0.description] } ?? [], code: failure?.code ?? 0)
  }

  private func bot(_ source: Settings, in environment: Environment) async throws -> Answer {
    let backend = try await Backend.open(source, findsGuild: false)
    let fetch = OverviewFetch(backend, rows: json ? .ofHour : .none)
    let overview = try await fetch.run(withinMs: max(100, limitMs - 200))
    return Answer(
      line: json
        ? overview.json { $0.string("source", source.profileName) }
        : StatusCommand.line(overview, json: false, clock: source.clock),
      complaints: overview.detail.map { [$0] } ?? [], code: overview.exitCode)
  }
}
