import ArgumentParser
import Foundation

/// The parser's description of verbs and options: the only source of the manual page and of
/// docs/commands.md, so that both list exactly what exists.
struct CommandTree: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool?
  var subcommands: [CommandTree]?
  var arguments: [Argument]?

  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      var kind: String
      var name: String

      /// `--url`, `-n`
      var spelled: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: Kind
    var abstract: String?
    var names: [Name]?
    var preferredName: Name?
    var valueName: String?
    var defaultValue: String?
    var allValues: [String]?
    var isOptional: Bool
    var isRepeating: Bool
    var shouldDisplay: Bool

    /// The spellings of an option, long first; empty for a positional argument.
    var spellings: [String] { (names ?? []).map(\.spelled).sorted { $0.count > $1.count } }

    /// The placeholder of the value: `URL`, or `small|medium|large`.
    var value: String? {
      guard kind != .flag else { return nil }
      if let allValues, !allValues.isEmpty, allValues.count <= 6 {
        return allValues.joined(separator: "|")
      }
      return valueName ?? "value"
    }

    /// The help, with the values when they are too many for the name.
    var help: String {
      var text = abstract ?? ""
      if let allValues, allValues.count > 6 {
        text += " One of \(allValues.joined(separator: ", "))."
      }
      if let defaultValue, kind != .flag, !defaultValue.isEmpty, !text.contains("default") {
        text += " Default: \(defaultValue)."
      }
      return text
    }
  }

  private struct Dump: Decodable { var command: CommandTree }

  /// - Parameter dump: the JSON of `--experimental-dump-help`.
  init(dump: String) throws {
    self = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
  }

  /// Every spelling of an option with a value, of this command and its subcommands.
  var optionsWithValue: Set<String> {
    let own = (arguments ?? []).filter { $0.kind == .option }.flatMap(\.spellings)
    return (subcommands ?? []).reduce(into: Set(own)) { $0.formUnion($1.optionsWithValue) }
  }

  /// A verb and the words that lead to it, such as `facts list`.
  struct Verb {
    var path: [String]
    var command: CommandTree

    var name: String { path.joined(separator: " ") }
    var shown: [Argument] {
      (command.arguments ?? []).filter {
        $0.shouldDisplay && !Verb.everywhere.contains($0.names?.first?.name ?? "")
      }
    }

    private static let everywhere: Set<String> = ["help", "version"]

    /// `clanky-cockpit status [OPTIONS]`, with required arguments.
    var synopsis: String {
      var words = ["clanky-cockpit"] + (path == ["open"] ? [] : path)
      for argument in shown where argument.kind == .positional {
        let name = argument.value ?? "value"
        let word = argument.isRepeating ? "\(name) ..." : name
        words.append(argument.isOptional ? "[\(word)]" : word)
      }
      for argument in shown where argument.kind == .option && !argument.isOptional {
        words.append("\(argument.spellings[0]) \(argument.value ?? "value")")
      }
      if shown.contains(where: { $0.kind != .positional }) { words.append("[OPTIONS]") }
      return words.joined(separator: " ")
    }
  }

  /// Every verb that can be run and is shown, in the order of help.
  var verbs: [Verb] {
    func below(_ command: CommandTree, _ path: [String]) -> [Verb] {
      (command.subcommands ?? []).flatMap { sub -> [Verb] in
        guard sub.shouldDisplay ?? true, sub.commandName != "help" else { return [] }
        let path = path + [sub.commandName]
        let nested = below(sub, path)
        return nested.isEmpty ? [Verb(path: path, command: sub)] : nested
      }
    }
    return below(self, [])
  }

  /// The options that every verb with a backend understands, by their first name.
  var sharedOptions: [Argument] {
    let sets = verbs.map(\.shown).filter { $0.contains { $0.names?.first?.name == "url" } }
      .map { Set($0.compactMap { $0.names?.first?.name }) }
    guard var shared = sets.first else { return [] }
    for set in sets { shared.formIntersection(set) }
    let open = verbs.first?.shown ?? []
    return open.filter { shared.contains($0.names?.first?.name ?? "") }
  }
}
