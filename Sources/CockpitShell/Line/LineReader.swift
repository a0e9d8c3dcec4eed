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
    ("note", "a mark here in what is recorded, with a note: note why silent; marks lists them"),
    ("pin", "keep the recording of the last minutes: pin 10m, pin 2h 'the silence'"),
    ("marks", "the marks in what is recorded"),
    (
      "forget",
      "take a person out of memory and recording: forget NAME counts, forget NAME 12 does it"
    ),
    ("level", "how much the feed shows: level story, level normal, level everything"),
    ("ack", "what is wrong now needs no more telling: ack, or ack RULE"),
    ("snooze", "a rule says nothing for a time: snooze models 1h"),
    ("mute", "a rule says nothing until unmute: mute models"),
    ("unmute", "a rule speaks again: unmute models"),
    ("profile", "use another profile of the configuration file"),
    ("set", "set slash=filter lets / filter, slash=find finds"),
    ("view", "a filter with a name: view NAME shows it, view save NAME keeps the present one"),
  ]

  /// The same with those that this screen has besides.
  var ownWords: [(name: String, help: String)] {
    guard let sources = facts.sources else { return Self.ownVerbs }
    let names = sources.members.map(\.name).joined(separator: ", ")
    return Self.ownVerbs + [("source", "another source of this profile: " + names + ", all")]
  }

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
    ["facts", "edit"], ["facts", "delete"], ["facts", "purge"], ["facts", "forget"],
    ["facts", "delete-reflection"],
    ["voice", "join"], ["voice", "leave"],
  ]

  /// Every first word that means something, in alphabetical order.
  var firstWords: [String] {
    var words = Set(Self.commands(keys).map(\.name))
    words.formUnion(verbs.verbs.map(\.name).filter { Self.reasonNotHere($0) == nil })
    words.formUnion(ownWords.map(\.name))
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

  func read(first: String, rest: [String]) throws(LineProblem) -> LineAction {
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

  func named(_ name: String) -> KeyAction? {
    Self.commands(keys).first { $0.name == name }?.command
  }

  func command(_ command: KeyAction) -> LineAction { .command(command) }

  /// Whether the program has a verb of this name that does something by itself.
  private func isVerb(_ name: String) -> Bool { verbs.verb([name])?.verbs.isEmpty == true }

  static func short(_ text: String) -> String {
    text.count > 40 ? String(text.prefix(39)) + "…" : text
  }

  static func readOnly(_ name: String) -> LineProblem {
    LineProblem("\(name) changes something on the backend, and this connection is read-only")
  }
}
