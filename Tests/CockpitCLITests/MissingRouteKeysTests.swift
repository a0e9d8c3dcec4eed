import ArgumentParser
import CockpitDemo
import CockpitDomain
import CockpitPanes
import CockpitSession
import CockpitShell
import Dispatch
import Foundation
import Networking
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitApp
@testable import CockpitCLI
@testable import CockpitStores

/// A demo backend lacks one route: the request for it says so, and the keys that need it are marked.
@MainActor @Suite(.serialized) struct MissingRouteKeysTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var route: BackendRoute
    var method: HTTPMethod
    var path: String
    /// The keys that do nothing without it, each with the tab where that is so.
    var keys: [KeyAction] = []
    var tab = Tab.cmd
    var testDescription: String { route.rawValue }
  }

  nonisolated static let cases: [Case] = [
    Case(
      route: .settings, method: .get, path: "settings",
      keys: [.settings, .runtime, .settingsPreset, .settingsReset, .settingsApply]),
    Case(
      route: .saveSettings, method: .put, path: "settings", keys: [.settingsPreset, .settingsReset]),
    Case(
      route: .presetSettings, method: .post, path: "settings/preset-defaults",
      keys: [.settingsPreset]),
    Case(route: .resetSettings, method: .post, path: "settings/reset", keys: [.settingsReset]),
    Case(route: .applySettings, method: .post, path: "settings/refresh", keys: [.settingsApply]),
    Case(route: .facts, method: .get, path: "memory/facts"),
    Case(route: .subjects, method: .get, path: "memory/subjects"),
    Case(
      route: .editFact, method: .put, path: "memory/facts/41", keys: [.edit, .editExternally],
      tab: .memory),
    Case(
      route: .deleteFact, method: .delete, path: "memory/facts/41", keys: [.delete], tab: .memory),
    Case(route: .search, method: .get, path: "memory/search", keys: [.search], tab: .memory),
    Case(route: .reflections, method: .get, path: "memory/reflections"),
    Case(route: .deleteRun, method: .delete, path: "memory/reflections/run-1"),
    Case(route: .markdown, method: .get, path: "memory"),
    Case(route: .profile, method: .get, path: "memory/fact-profile"),
    Case(route: .recall, method: .post, path: "memory/runtime-snapshot"),
    Case(
      route: .purge, method: .delete, path: "memory/guild", keys: [.purgeMemory], tab: .memory),
    Case(
      route: .refreshMemory, method: .post, path: "memory/refresh", keys: [.refreshMemory]),
    Case(route: .ownerFacts, method: .get, path: "memory/owner-private/facts"),
    Case(route: .guilds, method: .get, path: "guilds"),
    Case(route: .channels, method: .get, path: "guilds/771043920118841344/channels"),
    Case(route: .automations, method: .get, path: "automations"),
    Case(route: .runs, method: .get, path: "automations/runs"),
    Case(route: .browsers, method: .get, path: "agents/browser-sessions"),
    Case(route: .accounts, method: .get, path: "oauth/status"),
    Case(route: .pastSessions, method: .get, path: "voice/history/sessions"),
    Case(route: .pastEvents, method: .get, path: "voice/history/sessions/one/events"),
    Case(route: .join, method: .post, path: "voice/join", keys: [.joinVoice]),
    Case(route: .leave, method: .post, path: "voice/leave"),
  ]

  @Test("every route is among the cases")
  func whole() {
    #expect(Set(Self.cases.map(\.route)) == Set(BackendRoute.allCases))
  }

  private func environment() -> CockpitSession.Environment {
    CockpitSession.Environment(
      arguments: [], variables: ["HOME": "/nowhere", "CLANKY_TOKEN": "proof"],
      output: Output(.function { _ in }, variables: [:], areTerminals: (false, false)),
      terminals: .init(input: false, output: false, error: false), readLine: { nil },
      end: { _ in })
  }

  private func answer(
    _ test: Case, _ model: CockpitModel
  ) async -> Result<RestAnswer, RestFailure> {
    let path = ["api"] + test.path.split(separator: "/").map(String.init)
    let query = [
      RequestTarget.QueryItem("guildId", "771043920118841344"), .init("automationId", "1"),
      .init("q", "x"),
    ]
    let request = RestRequest(
      test.method, RequestTarget(path, query: test.method == .get ? query : []),
      body: test.method == .get ? nil : Array("{}".utf8))
    return await withCheckedContinuation { continuation in
      model.bot.memoryService.requester.request(request) { continuation.resume(returning: $0) }
    }
  }

  /// Help about one key.
  private func help(_ key: KeyAction, _ shell: CockpitShell, _ facts: ViewContext) -> String {
    var shell = shell
    let size = Size(width: 200, height: 60)
    _ = shell.perform(.help, facts)
    for character in key.rawValue {
      _ = shell.handle(
        .key(.char(character), []), on: facts, frame: shell.render(facts, size: size))
    }
    return shell.render(facts, size: size).canvas.text
  }

  @Test(
    "a route that is missing is known after the first answer, and its keys are marked",
    arguments: cases)
  func missing(test: Case) async throws {
    let server = try await DemoServer.start(
      DemoOptions(
        scenario: .quiet, token: "proof",
        faults: DemoFaults(
          initial: [.missingRoute(method: test.method.rawValue, path: "/api/" + test.path)])))
    let options = try SharedOptions.parse(["--url", server.url])
    let backend = try await Backend.open(try Settings(options, in: environment()))
    let model = CockpitModel(OpenedSource(backend))
    let failure = await model.bot.firstFacts()
    #expect(failure == nil)
    var shell = CockpitShell(tab: test.tab, size: Size(width: 200, height: 60))
    // What was never asked for is not said to be missing.
    if test.route.isTried {
      #expect(!model.facts.unserved.contains(test.route))
      for key in test.keys {
        #expect(!help(key, shell, model.facts).contains("(not served"))
      }
    }
    let result = await answer(test, model)
    #expect(result.isProvenMissingRoute, "\(result)")
    let facts = model.facts
    #expect(facts.unserved.contains(test.route))
    // Those that rest on it go with it.
    let others = facts.unserved.subtracting([test.route, .saveSettings, .applySettings, .deleteRun])
    #expect(others.isEmpty, "\(others)")
    for key in test.keys {
      let text = help(key, shell, facts)
      #expect(text.contains("(not served"), "\(key)\n\(text)")
    }
    _ = shell.update(facts, size: Size(width: 200, height: 60))
    if test.route != .leave && test.route != .accounts {
      let screen = shell.render(facts, size: Size(width: 200, height: 60)).canvas.text
      #expect(screen.contains("does not serve \(test.route.rawValue)"), "\(screen.suffix(600))")
    }
    model.bot.source.stop()
    await server.stop()
  }

  @Test("with every route served nothing is marked, and a 404 about a thing is none of a route")
  func served() async throws {
    let server = try await DemoServer.start(DemoOptions(scenario: .quiet, token: "proof"))
    let options = try SharedOptions.parse(["--url", server.url])
    let backend = try await Backend.open(try Settings(options, in: environment()))
    let model = CockpitModel(OpenedSource(backend))
    let failure = await model.bot.firstFacts()
    #expect(failure == nil)
    for test in Self.cases where test.route != .leave && test.route != .saveSettings {
      _ = await answer(test, model)
    }
    #expect(model.facts.unserved.isEmpty, "\(model.facts.unserved)")
    let shell = CockpitShell(tab: .memory, size: Size(width: 200, height: 60))
    for key in Set(Self.cases.flatMap(\.keys)) {
      #expect(!help(key, shell, model.facts).contains("(not served"), "\(key)")
    }
    model.bot.source.stop()
    await server.stop()
  }
}
