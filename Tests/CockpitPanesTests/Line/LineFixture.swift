import CockpitStores
import TerminalCore

@testable import CockpitPanes
@testable import CockpitShell

/// A few verbs like those of the program, and readers over the fixture's facts.
enum LineFixture {
  static let table: VerbTable = {
    typealias Verb = VerbTable.Verb
    typealias Option = VerbTable.Option
    let shared = [
      Option(["--url"], valueName: "URL"), Option(["--profile"], valueName: "NAME"),
      Option(["--guild"], valueName: "ID"),
      Option(["--color"], valueName: "color", values: ["auto", "always", "never"]),
      Option(["--help", "-h"]),
    ]
    let json = Option(["--json"], abstract: "JSON lines.")
    let filter = Option(["--filter"], valueName: "QUERY")
    let since = Option(["--since"], valueName: "DURATION")
    let id = VerbTable.Argument("ID")
    let facts = Verb(
      name: "facts", abstract: "The memory.",
      verbs: [
        Verb(
          name: "list", abstract: "List facts.",
          options: shared + [json, filter, Option(["--subject"], valueName: "S")]),
        Verb(
          name: "search", abstract: "Search facts by meaning.", options: shared + [json],
          arguments: [.init("TEXT", isRepeating: true)]),
        Verb(name: "show", abstract: "Show a fact.", options: shared + [json], arguments: [id]),
        Verb(
          name: "edit", abstract: "Edit a fact.",
          options: shared + [Option(["--fact"], valueName: "T")], arguments: [id]),
        Verb(
          name: "delete", abstract: "Delete a fact.", options: shared + [Option(["--yes"])],
          arguments: [id]),
      ])
    return VerbTable(verbs: [
      Verb(name: "open", options: shared),
      Verb(
        name: "tail", abstract: "Follow a stream.",
        options: shared + [
          json, filter, since, Option(["--once"]), Option(["-n"], valueName: "N"),
          Option(["--stream"], valueName: "stream", values: ["activity", "voice"]),
        ]),
      Verb(
        name: "snapshot", abstract: "One screen.",
        options: shared + [
          Option(["--view"], valueName: "view", values: ["pulse", "voice", "stats"]), json,
        ]),
      Verb(name: "status", abstract: "One line.", options: shared + [json]),
      facts,
      Verb(
        name: "actions", abstract: "History.",
        options: shared + [json, filter, since, Option(["--kinds"], valueName: "K")]),
      Verb(name: "sessions", abstract: "Voice sessions.", options: shared + [json]),
      Verb(
        name: "session", abstract: "One voice session.", options: shared + [json], arguments: [id]),
      Verb(
        name: "voice",
        verbs: [Verb(name: "join", abstract: "Join voice.", options: shared)]),
      Verb(name: "setup", options: shared), Verb(name: "demo"),
      Verb(
        name: "themes",
        verbs: [
          Verb(name: "list"), Verb(name: "show", arguments: [.init("NAME")]),
        ]),
    ])
  }()
}

extension CockpitShell {
  /// A shell that knows the verbs of the fixture.
  static func withVerbs(
    tab: Tab = .pulse, keys: KeyTable = .standard, size: Size
  ) -> CockpitShell {
    CockpitShell(tab: tab, keys: keys, size: size, verbs: { LineFixture.table })
  }

  /// Opens the command line, writes and accepts.
  @MainActor mutating func line(_ text: String, _ fixture: inout Fixture) -> [Effect] {
    type(":", &fixture)
    write(text, &fixture)
    return send(.key(.enter, []), &fixture)
  }
}
