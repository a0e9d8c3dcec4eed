import CockpitPanes
import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore

/// Parses an entered line: a command by name, a verb with a view on screen, or a verb that runs as
/// in a shell.
@MainActor
package struct LineReader {
  let verbs: VerbTable
  let keys: KeyTable
  let facts: ViewContext
  /// The open tab: `filter` means its list.
  var tab: Tab
  /// Without a screen every verb runs as in a shell.
  var hasScreen: Bool

  package init(
    verbs: VerbTable, keys: KeyTable, facts: ViewContext, tab: Tab = .pulse, hasScreen: Bool = true
  ) {
    self.verbs = verbs
    self.keys = keys
    self.facts = facts
    self.tab = tab
    self.hasScreen = hasScreen
  }

  init(_ context: LayerContext) {
    self.init(
      verbs: context.verbs(), keys: context.facts.keys, facts: context.facts, tab: context.tab)
  }

  /// Words of the line itself, which are neither commands nor verbs of the program.
  static let ownVerbs: [(name: String, help: String)] = [
    ("guild", "one guild on all tabs: guild NAME, guild off shows all"),
    ("filter", "show only what matches: filter kind:llm_*"),
    ("find", "find a text in the open tab"),
    ("tab", "another tab by its name"),
    ("goto", "a time or a mark in PULSE: goto 14:31, goto -10m, goto 2026-05-09, goto a"),
    ("level", "how much the feed shows: level story, level normal, level everything"),
    ("profile", "use another profile of the configuration file"),
    ("set", "set slash=filter lets / filter, slash=find finds"),
    ("view", "a filter with a name: view NAME shows it, view save NAME keeps the present one"),
  ]

  /// Short names that people know from elsewhere.
  static let aliases: [(name: String, command: KeyAction)] = [
    ("q", .quit), ("h", .help), ("pulse", .pulse), ("voice", .voice),
    ("brain", .brain), ("memory", .memory), ("cmd", .cmd),
  ]

  /// Every command with its name, the ones of the live key table alone.
  static func commands(_ keys: KeyTable) -> [(name: String, command: KeyAction)] {
    let known = keys.bindings.map { (name: $0.command.rawValue, command: $0.command) }
    let usable = Set(known.map(\.command))
    return (known + aliases.filter { usable.contains($0.command) })
      .filter { $0.command != .commandLine }
  }

  /// Verbs that change something on the backend.
  static let changing: Set<[String]> = [
    ["facts", "edit"], ["facts", "delete"], ["facts", "purge"], ["facts", "delete-reflection"],
    ["voice", "join"], ["voice", "leave"],
  ]

  /// Every first word that means something, in alphabetical order.
  var firstWords: [String] {
    var words = Set(Self.commands(keys).map(\.name))
    words.formUnion(verbs.verbs.map(\.name).filter { Self.reasonNotHere($0) == nil })
    words.formUnion(Self.ownVerbs.map(\.name))
    return words.sorted()
  }

  /// - Returns: nil for an empty line.
  package func read(_ line: String) throws(LineProblem) -> LineAction? {
    let line = line.trimmingSpaces
    guard let head = line.split(separator: " ", maxSplits: 1).first.map(String.init) else {
      return nil
    }
    // Queries and texts have their own quoting and are used verbatim.
    if head == "filter" || head == "f" || head == "find" {
      let text = Self.text(after: head, in: line)
      return try text.isEmpty ? command(head == "find" ? .find : .filter) : search(head, text)
    }
    let split = ShellWords(line)
    if let problem = split.problem { throw LineProblem(problem.sentence) }
    let words = split.words.map(\.text)
    guard let first = words.first else { return nil }
    return try read(first: first, rest: Array(words.dropFirst()))
  }

  /// The rest of the line; a text that is one quoted word loses its quotes.
  private static func text(after head: String, in line: String) -> String {
    let rest = String(line.dropFirst(head.count)).trimmingSpaces
    let split = ShellWords(rest)
    guard split.problem == nil, split.words.count == 1, rest.hasPrefix("'") else { return rest }
    return split.words[0].text
  }

  private func read(first: String, rest: [String]) throws(LineProblem) -> LineAction {
    if rest.isEmpty, let command = named(first.lowercased()), hasScreen || !isVerb(first) {
      return .command(command)
    }
    if let action = try ownVerb(first, rest) { return action }
    if let verb = verbs.verbs.first(where: { $0.name == first }) { return try read(verb, rest) }
    if first == "help", !rest.isEmpty { return .verb(["help"] + rest) }
    if let mutation = KeyAction(rawValue: first), mutation.isMutation, facts.isReadOnly {
      throw Self.readOnly(first)
    }
    if named(first.lowercased()) != nil {
      throw LineProblem("\(first) takes no words; write :\(first) alone")
    }
    if rest.isEmpty {
      let found = firstWords.filter { $0.hasPrefix(first.lowercased()) }
      if found.count == 1 { return try read(first: found[0], rest: []) }
      // Several names of one command are one.
      let commands = Set(found.map(named))
      if commands.count == 1, let command = commands.first ?? nil { return .command(command) }
      if !found.isEmpty {
        throw LineProblem("\(first) begins \(found.count) names; Tab shows them")
      }
    }
    throw LineProblem(
      "nothing is called \(Self.short(first))", nearest: first.lowercased(), in: firstWords,
      else: "; Tab shows what there is")
  }

  private func named(_ name: String) -> KeyAction? {
    Self.commands(keys).first { $0.name == name }?.command
  }

  private func command(_ command: KeyAction) -> LineAction { .command(command) }

  /// Whether the program has a verb of this name that does something by itself.
  private func isVerb(_ name: String) -> Bool { verbs.verb([name])?.verbs.isEmpty == true }

  static func short(_ text: String) -> String {
    text.count > 40 ? String(text.prefix(39)) + "…" : text
  }

  private static func readOnly(_ name: String) -> LineProblem {
    LineProblem("\(name) changes something on the backend, and this connection is read-only")
  }

  // MARK: Words of the line itself

  private func search(_ head: String, _ text: String) throws(LineProblem) -> LineAction {
    guard head != "find" else { return .find(text) }
    return .filter(try checked(text, inPulse: tab != .memory), inPulse: tab != .memory)
  }

  private func checked(_ text: String, inPulse: Bool) throws(LineProblem) -> String {
    if inPulse {
      do throws(QueryError) { _ = try Query.parse(piped: text, views: facts.setup.views) } catch {
        throw LineProblem(error.description)
      }
    } else {
      var query = FactViewQuery()
      query.filter = text
      if let problem = query.filterProblem { throw LineProblem(problem) }
    }
    return text
  }

  private func ownVerb(_ first: String, _ rest: [String]) throws(LineProblem) -> LineAction? {
    guard let word = rest.first else {
      switch first {
      case "tab": throw LineProblem("which tab? pulse, voice, brain, memory or cmd")
      case "profile": return try read(first: KeyAction.profiles.rawValue, rest: [])
      case "set": throw LineProblem("set slash=filter or set slash=find")
      case "goto": throw LineProblem("goto 14:31, goto -10m or goto 2026-05-09")
      case "level": return .command(.level)
      case "guild" where !hasScreen: throw LineProblem("guild NAME, or guild off for all guilds")
      case "view": throw LineProblem("view NAME shows a view, view save NAME keeps the filter")
      default: return nil
      }
    }
    switch first {
    case "tab":
      guard rest.count == 1, let tab = Tab(name: word.lowercased()) else {
        let names = Tab.allCases.map { $0.title.description.lowercased() }
        throw LineProblem("there is no tab \(Self.short(word))", nearest: word, in: names)
      }
      return .tab(tab)
    case "theme":
      guard facts.setup.themes.isEmpty || facts.setup.themes.contains(word) else {
        throw LineProblem(
          "there is no theme \(Self.short(word))", nearest: word, in: facts.setup.themes)
      }
      return .theme(word)
    case "profile":
      let names = facts.setup.profiles.map(\.name)
      guard names.contains(word) else {
        throw LineProblem(
          "there is no profile \(Self.short(word))", nearest: word, in: names,
          else: names.isEmpty ? "; the configuration file has none" : "; C shows them")
      }
      return .profile(word)
    case "set": return try setting(rest)
    case "guild":
      let text = rest.joined(separator: " ")
      return .guild(text.lowercased() == "off" ? nil : try guild(text))
    case "goto": return try moment(rest.joined(separator: " "))
    case "level":
      guard rest.count == 1, let level = FeedLevel(rawValue: word.lowercased()) else {
        let names = FeedLevel.allCases.map(\.rawValue)
        throw LineProblem(
          "there is no level \(Self.short(word))", nearest: word, in: names,
          else: "; story, normal or everything")
      }
      return .level(level)
    case "view": return try view(rest)
    // With options it is the verb.
    case "why" where hasScreen && !rest.contains { $0.hasPrefix("-") }:
      return .why(rest.joined(separator: " "))
    case "search": return try memory(.init(search: rest.joined(separator: " ")))
    case "snapshot" where hasScreen && rest.count == 2 && word == "--view":
      if let tab = Tab(name: rest[1]) { return .tab(tab) }
      return nil
    default: return nil
    }
  }

  private func moment(_ text: String) throws(LineProblem) -> LineAction {
    if text.count == 1, let letter = text.first, letter.isASCII, letter.isLetter {
      return .goToMark(letter)
    }
    guard
      let ms = QueryMoment.start(
        of: text, nowMs: facts.nowMs, in: facts.clock.queryZone)
    else {
      throw LineProblem(
        "\(Self.short(text)) is no time; goto 14:31, goto -10m or goto 2026-05-09 names one")
    }
    return .goTo(ms: ms)
  }

  private func view(_ words: [String]) throws(LineProblem) -> LineAction {
    let names = facts.setup.views.texts.keys.sorted()
    guard words.count == 2, words[0] == "save" else {
      guard words.count == 1, names.contains(words[0]) else {
        throw LineProblem(
          "there is no view \(Self.short(words.joined(separator: " ")))", nearest: words[0],
          in: names, else: "; view save NAME keeps the filter of PULSE")
      }
      return .filter(try checked("@" + words[0], inPulse: true), inPulse: true)
    }
    guard QueryViews.isName(words[1]), words[1] != "save" else {
      throw LineProblem("a name has letters, digits, - and _, 40 at the most")
    }
    return .saveView(words[1])
  }

  private func setting(_ words: [String]) throws(LineProblem) -> LineAction {
    let text = words.joined(separator: " ").replacing(" ", with: "")
    switch text {
    case "slash=filter": return .slash(.filter)
    case "slash=find": return .slash(.find)
    default:
      throw LineProblem(
        "\(Self.short(text)) cannot be set here", nearest: text,
        in: ["slash=filter", "slash=find"], else: "; slash=filter and slash=find can")
    }
  }

  private func memory(_ request: LineAction.FactListRequest) throws(LineProblem) -> LineAction {
    guard hasScreen else {
      return .verb(["facts", "search", request.search ?? ""])
    }
    return .facts(request)
  }

  // MARK: Verbs of the program

  /// Why a verb cannot run inside the cockpit; nil if it can.
  static func reasonNotHere(_ verb: String) -> String? {
    switch verb {
    case "demo": "demo is a server that runs until it is ended; start it in a shell of its own"
    case "reset-terminal": "reset-terminal mends a shell; C-l paints this screen anew"
    case "open": "the cockpit is open; tab NAME shows another tab"
    default: nil
    }
  }

  private func read(
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
  private func guild(_ text: String) throws(LineProblem) -> String {
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
