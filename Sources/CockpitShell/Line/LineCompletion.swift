import CockpitPanes
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// Completions for an unfinished line.
@MainActor
struct LineCompletion {
  struct Item: Hashable, Sendable {
    /// The replacement of the word under the cursor.
    var insert: String
    /// The text of the list; it may contain remote text.
    var title: String
    var help = ""
  }

  struct Offer: Hashable, Sendable {
    /// Characters before the cursor that an item replaces.
    var replaced: Int
    var items: [Item]
  }

  let reader: LineReader
  private var facts: ViewContext { reader.facts }

  /// Items that are offered at most.
  static let limit = 50

  init(_ reader: LineReader) { self.reader = reader }

  func offer(for line: String, cursor: Int) -> Offer {
    let before = String(line.prefix(cursor))
    let words = ShellWords(before)
    let isInWord = words.problem != nil || words.words.last?.range.upperBound == before.count
    let done = isInWord ? words.words.dropLast() : words.words[...]
    let current = isInWord ? words.words.last : nil
    let typed = current?.text ?? ""
    guard let first = done.first?.text else {
      return Offer(replaced: current?.range.count ?? 0, items: firstWords(typed.lowercased()))
    }
    if first == "filter" || first == "f" {
      return query(before, from: done.first?.range.upperBound ?? 0)
    }
    let items = values(first, Array(done.dropFirst().map(\.text)), typed)
    return Offer(
      replaced: current?.range.count ?? 0, items: Array(items.prefix(Self.limit)))
  }

  // MARK: First words

  private func firstWords(_ prefix: String) -> [Item] {
    reader.firstWords.filter { $0.hasPrefix(prefix) }.map { name in
      Item(insert: name + (takesWords(name) ? " " : ""), title: name, help: help(name))
    }
  }

  private func takesWords(_ name: String) -> Bool {
    if reader.ownWords.contains(where: { $0.name == name }) { return true }
    if LineReader.commands(reader.keys).contains(where: { $0.name == name }) { return false }
    return reader.verbs.verb([name])?.verbs.isEmpty == false
  }

  private func help(_ name: String) -> String {
    if let own = reader.ownWords.first(where: { $0.name == name }) { return own.help }
    if let command = LineReader.commands(reader.keys).first(where: { $0.name == name })?.command,
      let binding = reader.keys.binding(for: command)
    {
      let key = binding.keys.first.map { "  \($0.description)" } ?? ""
      return binding.help.description + key
    }
    return reader.verbs.verb([name])?.abstract ?? ""
  }

  // MARK: Everything after it

  private func query(_ before: String, from start: Int) -> Offer {
    let text = String(before.dropFirst(start + 1))
    guard reader.tab != .memory else { return Offer(replaced: 0, items: []) }
    let (range, items) = QueryCompletion.items(
      for: text, cursor: text.count, log: facts.activity.log, names: facts.names.directory,
      views: facts.setup.views)
    return Offer(
      replaced: range.count,
      items: items.map { item in
        Item(
          insert: item.insert, title: item.title,
          help: item.count.map { Figures.count($0).description } ?? "")
      })
  }

  private func values(_ first: String, _ done: [String], _ typed: String) -> [Item] {
    if done.isEmpty {
      switch first {
      case "tab":
        return plain(Tab.allCases.map { $0.title.description.lowercased() }, typed)
      case "theme": return plain(facts.setup.themes, typed)
      case "profile": return plain(facts.setup.profiles.map(\.name), typed)
      case "source": return plain((facts.sources?.members.map(\.name) ?? []) + ["all"], typed)
      case "view": return plain(["save"] + facts.setup.views.texts.keys.sorted(), typed)
      case "guild":
        let off = "off".hasPrefix(typed.lowercased()) && !facts.scope.isAll
        return guilds(typed) + (off ? [Item(insert: "off", title: "off", help: "all guilds")] : [])
      case "level": return plain(FeedLevel.allCases.map(\.rawValue), typed)
      case "set": return plain(["slash=filter", "slash=find"], typed)
      case "help": return plain(reader.verbs.verbs.map(\.name), typed)
      default: break
      }
    }
    guard var verb = reader.verbs.verb([first]), LineReader.reasonNotHere(first) == nil else {
      return []
    }
    var rest = done[...]
    var path = [first]
    while let word = rest.first, let next = verb.verb(word) {
      verb = next
      path.append(word)
      rest.removeFirst()
    }
    if !verb.verbs.isEmpty {
      guard rest.isEmpty else { return [] }
      return verb.verbs.filter { $0.name.hasPrefix(typed) }.map {
        Item(insert: $0.name + " ", title: $0.name, help: $0.abstract)
      }
    }
    if let option = rest.last.flatMap(verb.option), option.valueName != nil {
      return optionValues(option, typed)
    }
    if typed.hasPrefix("-") { return options(verb, typed) }
    let arguments = path == ["themes", "show"] ? facts.setup.themes : verb.arguments.first?.values
    let named = plain(arguments ?? [], typed)
    return named.isEmpty && typed.isEmpty ? options(verb, typed) : named
  }

  private func plain(_ values: [String], _ typed: String) -> [Item] {
    values.filter { !$0.isEmpty && $0.lowercased().hasPrefix(typed.lowercased()) }
      .map { Item(insert: ShellWords.quoted($0), title: $0) }
  }

  private func options(_ verb: VerbTable.Verb, _ typed: String) -> [Item] {
    verb.options.filter { option in
      guard let name = option.names.first else { return false }
      return !VerbTable.connectionOptions.contains(name)
        && option.names.contains { $0.hasPrefix(typed) }
    }.map { option in
      let value = option.valueName.map { " " + $0 } ?? ""
      let name = option.names[0]
      return Item(
        insert: name + (option.valueName == nil ? "" : " "), title: name + value,
        help: option.abstract)
    }
  }

  private func guilds(_ typed: String) -> [Item] {
    facts.connection.names.guilds.sorted { $0.value < $1.value }
      // A name may begin with signs that the user's keyboard does not have.
      .filter {
        typed.isEmpty || $0.key.hasPrefix(typed)
          || $0.value.lowercased().contains(typed.lowercased())
      }
      .map { Item(insert: $0.key, title: $0.value, help: $0.key) }
  }

  private func optionValues(_ option: VerbTable.Option, _ typed: String) -> [Item] {
    switch option.names.first {
    case "--guild": return guilds(typed)
    case "--theme": return plain(facts.setup.themes, typed)
    case "--kinds":
      let head = typed.lastIndex(of: ",").map { String(typed[...$0]) } ?? ""
      let kinds = Set(facts.activity.log.labels().map(\.label.kind)).sorted()
      return kinds.filter { $0.hasPrefix(typed.dropFirst(head.count)) }
        .map { Item(insert: ShellWords.quoted(head + $0), title: $0) }
    case "--filter":
      let (range, items) = QueryCompletion.items(
        for: typed, cursor: typed.count, log: facts.activity.log, names: facts.names.directory)
      return items.map {
        Item(
          insert: ShellWords.quoted(String(typed.dropLast(range.count)) + $0.insert),
          title: $0.title)
      }
    default: return plain(option.values, typed)
    }
  }
}
