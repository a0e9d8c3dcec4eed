import CockpitSession
import ArgumentParser
import CockpitDomain
import Networking
import CockpitFiles
import CockpitPanes
import CockpitStores
import MainLoop
import Testing

@testable import CockpitCLI

@Suite struct VerbTableTests {
  /// The commands as they are declared, by their paths.
  private func declared(
    _ command: any ParsableCommand.Type, path: [String] = []
  ) -> [[String]] {
    var paths: [[String]] = []
    for next in command.configuration.subcommands {
      guard next.configuration.shouldDisplay else { continue }
      let here = path + [next._commandName]
      paths += [here] + declared(next, path: here)
    }
    return paths
  }

  private func paths(_ verbs: [VerbTable.Verb], _ path: [String] = []) -> [[String]] {
    verbs.flatMap { [path + [$0.name]] + paths($0.verbs, path + [$0.name]) }
  }

  @Test("the table has every verb of the parser, and no other")
  func complete() {
    #expect(
      Set(paths(ClankyCockpit.verbTable.verbs)).subtracting([["facts", "help"]])
        == Set(declared(ClankyCockpit.self)))
  }

  @Test("each verb says what it does, each option what it is")
  func abstracts() throws {
    for path in paths(ClankyCockpit.verbTable.verbs) {
      let verb = try #require(ClankyCockpit.verbTable.verb(path))
      #expect(!verb.abstract.isEmpty, "\(path)")
      for option in verb.options {
        #expect(option.names.allSatisfy { $0.hasPrefix("-") }, "\(path) \(option)")
        #expect(!option.abstract.isEmpty, "\(path) \(option.names)")
      }
    }
  }

  @Test("options have their values, arguments their names")
  func details() throws {
    let tail = try #require(ClankyCockpit.verbTable.verb(["tail"]))
    #expect(tail.option("--stream")?.values == ["activity", "voice"])
    #expect(tail.option("-n")?.valueName == "N")
    #expect(tail.option("--json")?.valueName == nil)
    let show = try #require(ClankyCockpit.verbTable.verb(["facts", "show"]))
    #expect(show.arguments.first?.name == "ID")
    #expect(ClankyCockpit.verbTable.verb(["facts", "nothing"]) == nil)
    #expect(ClankyCockpit.verbTable.verb([]) == nil)
  }

  @Test("the options of the connection are real ones")
  func connectionOptions() throws {
    let verb = try #require(ClankyCockpit.verbTable.verb(["tail"]))
    for name in VerbTable.connectionOptions { #expect(verb.option(name) != nil, "\(name)") }
  }

  @Test("an option that takes a value takes one in every verb")
  func optionsWithValue() throws {
    func flags(_ tree: CommandTree) -> Set<String> {
      let own = (tree.arguments ?? []).filter { $0.kind == .flag }.flatMap(\.spellings)
      return (tree.subcommands ?? []).reduce(into: Set(own)) { $0.formUnion(flags($1)) }
    }
    let withValue = ClankyCockpit.vocabulary.withValue()
    #expect(withValue.isSuperset(of: ["--url", "--demo", "-n", "-o", "--tunnel-host"]))
    #expect(withValue.isDisjoint(with: flags(try ClankyCockpit.tree())))
  }

  @Test("a dump that cannot be read gives no verbs")
  func broken() throws {
    #expect(throws: (any Error).self) { try CommandTree(dump: "{") }
    #expect(VerbTable(try CommandTree(dump: "{\"command\":{\"commandName\":\"x\"}}")).verbs.isEmpty)
  }

  @Test("a verb is run for the backend on the screen, the token is in no argument")
  @MainActor func invocation() async throws {
    let options = try SharedOptions.parse(["--demo", "quiet", "--guild", "42"])
    let settings = try Settings(
      options,
      in: Environment(
        arguments: [], variables: [:],
        output: Output(.function { _ in }, variables: [:], areTerminals: (false, false)),
        terminals: .init(input: false, output: false, error: false), readLine: { nil },
        end: { _ in }))
    let backend = try await Backend.open(settings)
    let invocation = VerbInvocation(OpenedSource(backend))
    let words = invocation.arguments(
      ["facts", "search", "a b", "--json"], ClankyCockpit.verbTable, scope: GuildScope("42"))
    #expect(words.prefix(2) == ["facts", "search"])
    #expect(words.suffix(2) == ["a b", "--json"])
    #expect(words.contains("--url") && words.contains(backend.url.description))
    #expect(words.firstRange(of: ["--guild", "42"]) != nil)
    let all = invocation.arguments(["status"], ClankyCockpit.verbTable)
    #expect(all.firstRange(of: ["--guild", "off"]) != nil)
    let own = invocation.arguments(["facts", "list", "--guild", "7"], ClankyCockpit.verbTable)
    #expect(own.filter { $0 == "--guild" }.count == 1)
    let token = try #require(
      backend.token?.withBytes { String(decoding: $0, as: UTF8.self) })
    let environment = invocation.environment(
      Array(words), on: .linear, in: RunScope(loop: DispatchLoop()), output: { _ in }, end: { _ in }
    )
    #expect(environment.variables["CLANKY_TOKEN"] == token)
    #expect(environment.variables["NO_COLOR"] == "1" && !environment.isAttended)
    #expect(environment.tokenPlace == "of the demo" && environment.screen == .linear)
    #expect(!words.contains { $0.contains(token) })
    #expect(invocation.arguments(["help", "facts"], ClankyCockpit.verbTable) == ["help", "facts"])
    withExtendedLifetime(backend) {}
  }
}
