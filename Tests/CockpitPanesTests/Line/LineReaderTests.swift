import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct LineReaderTests {
  private func reader(
    tab: Tab = .pulse, isReadOnly: Bool = false, hasScreen: Bool = true
  ) -> LineReader {
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.isReadOnly = isReadOnly
    facts.setup.themes = ["auto", "terminal-dark", "mono"]
    facts.setup.profiles = [.init(name: "prod", url: "https://a.example", isReadOnly: true)]
    return LineReader(
      verbs: LineFixture.table, keys: isReadOnly ? .standard.withoutMutations : .standard,
      facts: facts, tab: tab, hasScreen: hasScreen)
  }

  private func action(_ line: String, tab: Tab = .pulse, hasScreen: Bool = true) throws
    -> LineAction?
  {
    try reader(tab: tab, hasScreen: hasScreen).read(line)
  }

  private func problem(
    _ line: String, isReadOnly: Bool = false, hasScreen: Bool = true
  ) -> String? {
    do throws(LineProblem) {
      _ = try reader(isReadOnly: isReadOnly, hasScreen: hasScreen).read(line)
      return nil
    } catch {
      return error.sentence
    }
  }

  @Test("commands by name, alias and unique beginning")
  func commands() throws {
    #expect(try action("") == nil)
    #expect(try action("  ") == nil)
    for (line, command): (String, KeyAction) in [
      ("tab-voice", .voice), ("voice", .voice), ("q", .quit), ("jour", .journal),
      ("FIND", .find), ("filter", .filter), ("find", .find), ("theme", .theme),
      ("profile", .profiles), ("setup", .setup), ("voice join", .joinVoice),
    ] {
      #expect(try action(line) == .command(command), "\(line)")
    }
  }

  @Test("verbs that have a place on the screen go there")
  func places() throws {
    let guild = "500000000000000001"
    for (line, expected): (String, LineAction) in [
      ("tab memory", .tab(.memory)), ("facts", .tab(.memory)),
      ("snapshot --view voice", .tab(.voice)), ("tail", .tab(.pulse)),
      ("tail --stream voice", .tab(.voice)),
      ("filter kind:llm_*", .filter("kind:llm_*", inPulse: true)),
      ("filter user:\"the name\" cost>0", .filter("user:\"the name\" cost>0", inPulse: true)),
      ("filter 'user:\"the name\"'", .filter("user:\"the name\"", inPulse: true)),
      ("f chip:err", .filter("chip:err", inPulse: true)),
      ("find two words", .find("two words")),
      ("tail --filter 'kind:llm_* cost>0'", .filter("kind:llm_* cost>0", inPulse: true)),
      (
        "actions --since 1h --kinds llm_call,llm_error",
        .filter("kind:llm_call|llm_error since:1h", inPulse: true)
      ),
      ("facts search short answers", .facts(.init(search: "short answers"))),
      ("search short answers", .facts(.init(search: "short answers"))),
      ("facts list", .facts(.init(filter: ""))),
      ("facts list --guild 'the workshop'", .facts(.init(guild: guild, filter: ""))),
      ("facts list --subject lore", .facts(.init(subject: "__lore__", filter: ""))),
      (
        "facts list --subject james --filter type:preference",
        .facts(.init(subject: "700000000000000001", filter: "type:preference"))
      ),
      ("facts show 1042", .fact(id: 1042, then: nil)),
      ("facts edit 1042", .fact(id: 1042, then: .edit)),
      ("facts delete 1042", .fact(id: 1042, then: .delete)),
      ("sessions", .sessions), ("session s-1", .session("s-1")),
      ("theme mono", .theme("mono")), ("profile prod", .profile("prod")),
      ("set slash=filter", .slash(.filter)), ("set slash = find", .slash(.find)),
    ] {
      #expect(try action(line) == expected, "\(line)")
    }
    #expect(
      try action("filter type:preference", tab: .memory)
        == .filter("type:preference", inPulse: false))
  }

  @Test("every other verb runs as in a shell")
  func verbs() throws {
    for (line, words): (String, [String]) in [
      ("status", ["status"]), ("status --json", ["status", "--json"]),
      ("facts list --json", ["facts", "list", "--json"]),
      ("facts edit 7 --fact 'a b'", ["facts", "edit", "7", "--fact", "a b"]),
      ("facts delete 7 --yes", ["facts", "delete", "7", "--yes"]),
      ("themes show mono", ["themes", "show", "mono"]), ("themes", ["themes", "--help"]),
      ("facts search --help", ["facts", "search", "--help"]), ("help facts", ["help", "facts"]),
      ("tail --once -n 3", ["tail", "--once", "-n", "3"]),
      ("snapshot --view stats", ["snapshot", "--view", "stats"]),
    ] {
      #expect(try action(line) == .verb(words), "\(line)")
    }
    for line in ["facts list", "facts search cello", "sessions", "facts show 7"] {
      #expect(
        try action(line, hasScreen: false)
          == .verb(line.split(separator: " ").map(String.init)), "\(line)")
    }
  }

  @Test(
    "what is wrong is one sentence that says what to do",
    arguments: [
      ("fackts", "did you mean facts?"), ("facts serch x", "did you mean search?"),
      ("facts list --jsn", "did you mean --json?"), ("filter kin:x", "did you mean kind?"),
      ("tab memry", "did you mean memory?"), ("theme mon", "did you mean mono?"),
      ("profile prd", "did you mean prod?"), ("facts show abc", "a fact has a number"),
      ("facts list --guild nowhere", "no guild is called nowhere"),
      ("status 'x", "is not closed"), ("demo", "start it in a shell"),
      ("open --color never", "is open"),
      ("status --url http://x", "is for a shell"), ("tail --json", "tail never ends"),
      ("facts list --subject", "wants a value"), ("pause now", "takes no words"),
      ("tab-", "begins"), ("set x=y", "cannot be set"), ("xyzzy", "Tab shows what there is"),
    ])
  func problems(line: String, words: String) {
    let sentence = problem(line)
    #expect(sentence?.contains(words) == true, "\(line): \(sentence ?? "nil")")
  }

  @Test("with --read-only nothing that changes the backend can be asked for")
  func readOnly() {
    for line in [
      "facts edit 7", "facts edit 7 --fact x", "facts delete 7 --yes", "voice join", "voice-join",
      "memory-refresh", "edit",
    ] {
      #expect(problem(line, isReadOnly: true)?.contains("read-only") == true, "\(line)")
    }
    #expect(problem("facts show 7", isReadOnly: true) == nil)
  }

  @Test("without a screen what asks or never ends says so")
  func withoutScreen() {
    for (line, words) in [
      ("tail", "told here already"), ("setup", "in a shell"),
      ("facts edit 7", "say what to change"),
      ("facts delete 7", "add --yes"),
    ] {
      #expect(problem(line, hasScreen: false)?.contains(words) == true, "\(line)")
    }
  }
}
