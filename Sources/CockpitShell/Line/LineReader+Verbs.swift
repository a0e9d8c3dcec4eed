import CockpitPanes
import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore

extension LineReader {
  /// Why a verb cannot run inside the cockpit; nil if it can.
  static func reasonNotHere(_ verb: String) -> String? {
    switch verb {
    case "demo": "demo is a server that runs until it is ended; start it in a shell of its own"
    case "reset-terminal": "reset-terminal mends a shell; C-l paints this screen anew"
    case "watch":
      "watch runs until it is ended; start it in a shell of its own, or as a service"
    case "open": "the cockpit is open; tab NAME shows another tab"
    default: nil
    }
  }

  func read(
    _ verb: VerbTable.Verb, _ words: [String]
  ) throws(LineProblem) -> LineAction {
    if let reason = Self.reasonNotHere(verb.name) { throw LineProblem(reason) }
    var (path, verb, rest) = ([verb.name], verb, words)
    while let word = rest.first, let next = verb.verb(word) {
      path.append(word)
      verb = next
      rest.removeFirst()
    }
    if !verb.verbs.isEmpty {
      guard let word = rest.first, !word.hasPrefix("-") else {
        if rest.isEmpty, hasScreen, let place = place(path) { return place }
        return .verb(path + (rest.isEmpty ? ["--help"] : rest))
      }
      throw LineProblem(
        "\(path.joined(separator: " ")) has no verb \(Self.short(word))", nearest: word,
        in: verb.verbs.map(\.name),
        else: "; it has \(verb.verbs.map(\.name).joined(separator: ", "))")
    }
    let line = try VerbLine(path: path, verb: verb, rest: rest)
    if let name = line.options.keys.sorted().first(where: VerbTable.connectionOptions.contains) {
      throw LineProblem(
        "\(name) is for a shell: a line here means the backend on the screen; profile NAME "
          + "switches it")
    }
    if line.has("--help") || line.has("--version") { return .verb(line.words) }
    if facts.isReadOnly, Self.changing.contains(path) {
      throw Self.readOnly(path.joined(separator: " "))
    }
    if let reason = endless(line) { throw LineProblem(reason) }
    if hasScreen, let action = try onScreen(line) { return action }
    return .verb(line.words)
  }

  /// The view of a group of verbs.
  private func place(_ path: [String]) -> LineAction? {
    switch path {
    case ["facts"]: .tab(.memory)
    case ["voice"]: .tab(.voice)
    default: nil
    }
  }

  /// Verbs that prompt or never end need a terminal.
  private func endless(_ line: VerbLine) -> String? {
    switch line.path {
    case ["tail"] where !line.has("--once") && !(hasScreen && Self.isShown(tail: line)):
      hasScreen
        ? "tail never ends; PULSE follows already: filter QUERY narrows it"
        : "tail never ends, and what happens is told here already; f QUERY narrows it"
    case ["setup"] where !hasScreen:
      "setup asks questions; run 'clanky-cockpit setup' in a shell"
    case ["facts", "edit"] where !hasScreen && !Self.hasFields(line):
      "say what to change, such as --fact TEXT; without it an editor would open"
    case ["facts", "delete"] where !hasScreen && !line.has("--yes"):
      "facts delete asks first; add --yes, or run it in a shell"
    default: nil
    }
  }

  private static func isShown(tail line: VerbLine) -> Bool {
    line.hasOnly(["--filter", "--since", "--stream", "--plain"])
  }

  private static func hasFields(_ line: VerbLine) -> Bool {
    ["--fact", "--type", "--confidence", "--subject", "--evidence"].contains(where: line.has)
  }

  /// The verb as something the screen shows; nil if only the program can do it.
  private func onScreen(_ line: VerbLine) throws(LineProblem) -> LineAction? {
    switch line.path {
    case ["setup"]: return line.options.isEmpty ? try read(first: "setup", rest: []) : nil
    case ["tail"] where Self.isShown(tail: line):
      return line.value("--stream") == "voice" ? .tab(.voice) : try rows(line)
    case ["actions"] where line.hasOnly(["--filter", "--since", "--kinds", "--guild"]):
      return try rows(line)
    case ["sessions"] where line.options.isEmpty: return .sessions
    case ["session"] where line.options.isEmpty && line.arguments.count == 1:
      return .session(line.arguments[0])
    case ["snapshot"] where line.hasOnly(["--view"]):
      return line.value("--view").flatMap(Tab.init(name:)).map(LineAction.tab)
    case ["voice", "join"] where line.options.isEmpty: return .command(.joinVoice)
    default: return line.path.first == "facts" ? try factsOnScreen(line) : nil
    }
  }

  /// Rows of the activity log: PULSE with a filter that says the same.
  private func rows(_ line: VerbLine) throws(LineProblem) -> LineAction {
    var terms: [String] = []
    if let kinds = line.value("--kinds") {
      terms.append("kind:" + kinds.split(separator: ",").joined(separator: "|"))
    }
    if let since = line.value("--since") { terms.append("since:" + since) }
    if let guild = line.value("--guild") { terms.append("guild:\"" + guild + "\"") }
    if let filter = line.value("--filter"), !filter.isEmpty { terms.append(filter) }
    guard !terms.isEmpty else { return .tab(.pulse) }
    return .filter(try checked(terms.joined(separator: " "), inPulse: true), inPulse: true)
  }

  private func factsOnScreen(_ line: VerbLine) throws(LineProblem) -> LineAction? {
    let guild = try line.value("--guild").map { text throws(LineProblem) in try self.guild(text) }
    let text = line.arguments.joined(separator: " ")
    switch line.path[1] {
    case "list" where line.hasOnly(["--guild", "--subject", "--filter"]):
      let filter = try line.value("--filter").map { text throws(LineProblem) in
        try checked(text, inPulse: false)
      }
      return .facts(
        .init(guild: guild, subject: line.value("--subject").map(subject), filter: filter ?? ""))
    case "search" where line.hasOnly(["--guild"]):
      guard !text.isEmpty else { throw LineProblem("say what to search for") }
      return .facts(.init(guild: guild, search: text))
    case "show" where line.options.isEmpty: return .fact(id: try number(text), then: nil)
    case "edit" where !Self.hasFields(line) && line.hasOnly(["--guild"]):
      return .fact(id: try number(text), then: .edit)
    case "delete" where !line.has("--yes"): return .fact(id: try number(text), then: .delete)
    default: return nil
    }
  }

  private func number(_ text: String) throws(LineProblem) -> Int {
    guard let id = Int(text) else {
      throw LineProblem("a fact has a number, such as 1042; \(Self.short(text)) is none")
    }
    return id
  }

  /// A guild by its id or its name.
  func guild(_ text: String) throws(LineProblem) -> String {
    let guilds = facts.connection.names.guilds
    switch GuildScope.named(text, in: guilds) {
    case .guild(let id): return id
    case .several:
      throw LineProblem(
        "more than one guild is called \(Self.short(text)); its id tells them apart")
    case .unknown:
      throw LineProblem(
        "no guild is called \(Self.short(text))", nearest: text, in: Array(guilds.values),
        else: guilds.isEmpty ? "; the backend has not named its guilds" : "; Tab shows them")
    }
  }

  /// A subject as facts have it: a special one by its short name, a person by the name.
  private func subject(_ text: String) -> String {
    switch text.lowercased() {
    case "self": return "__self__"
    case "lore": return "__lore__"
    case "owner": return "__owner__"
    default:
      let people = facts.connection.names.users.filter {
        $0.value.lowercased() == text.lowercased()
      }
      return people.count == 1 ? people.first?.key ?? text : text
    }
  }
}
