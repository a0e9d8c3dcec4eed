import CockpitSession
import Foundation
import LenientJSON

/// `--spec`: the command line as JSON, for programs. Verbs and options are sorted by name and members
/// have a fixed order, so that two versions can be compared as text; docs/agents.md has the shape.
struct SpecDocument {
  /// Changes when a member is renamed, removed, or means something else; new members may come.
  static let schema = 1

  let tree: CommandTree

  /// The words before `--spec`, if that is what the arguments ask for; nil if they are to be parsed.
  ///
  /// - Parameter tree: called only where `--spec` occurs.
  static func path(_ given: [String], _ tree: () throws -> CommandTree) rethrows -> [String]? {
    guard given.last == "--spec" else { return nil }
    let path = Array(given.dropLast())
    guard !path.isEmpty else { return path }
    // Unknown verbs are reported by the parser.
    let found = try tree().verbs.contains { $0.path.starts(with: path) }
    return found ? path : nil
  }

  /// One line of ASCII.
  ///
  /// - Parameter path: the words of a verb or of a family; empty for all verbs.
  func line(_ path: [String] = []) -> [UInt8] {
    var bytes: [UInt8] = []
    object(path).write(to: &bytes, ascii: true)
    return bytes
  }

  func object(_ path: [String] = []) -> JSONValue {
    let shared = tree.sharedOptions
    let verbs = tree.verbs.filter { $0.path.starts(with: path) }
      .sorted { $0.name < $1.name }
    return .body([
      ("schema", .integer(Self.schema)), ("program", .string(tree.commandName)),
      ("version", .string(programVersion)),
      ("exit_codes", exits(ExitMeanings.general)),
      ("everywhere", .array(sorted(shared).map(option))),
      ("verbs", .array(verbs.map { verb($0, besides: shared) })),
    ])
  }

  private func verb(_ verb: CommandTree.Verb, besides shared: [CommandTree.Argument]) -> JSONValue {
    let isShared = Set(shared.compactMap(\.spellings.first))
    let options = verb.shown.filter { $0.kind != .positional }
    let takesShared = isShared.isSubset(of: Set(options.compactMap(\.spellings.first)))
    let own = options.filter {
      !takesShared || !isShared.contains($0.spellings.first ?? "")
    }
    let meanings = ExitMeanings(helps(of: verb.path)) { name in
      tree.verbs.first { $0.name == name }?.command.discussion
    }
    return .body([
      ("name", .string(verb.name)), ("path", .array(verb.path.map { .string($0) })),
      ("abstract", .string(verb.command.abstract ?? "")),
      ("usage", .string(verb.synopsis)),
      ("discussion", .string(verb.command.discussion ?? "")),
      ("arguments", .array(verb.shown.filter { $0.kind == .positional }.map(argument))),
      ("options", .array(sorted(own).map(option))),
      ("takes_everywhere", .bool(takesShared)),
      ("exit_codes", exits(meanings.codes)),
      ("exit_notes", .array(meanings.notes.map { .string($0) })),
    ])
  }

  /// The help texts of a verb and of what is above it, its own first; the program's says what all do.
  private func helps(of path: [String]) -> [String] {
    var helps: [String] = []
    var command = tree
    for name in path {
      guard let next = command.subcommands?.first(where: { $0.commandName == name }) else { break }
      command = next
      if let text = command.discussion { helps.insert(text, at: 0) }
    }
    return helps
  }

  private func argument(_ argument: CommandTree.Argument) -> JSONValue {
    .body([
      ("value", .string(argument.valueName ?? "value")),
      ("help", .string(argument.abstract ?? "")), ("required", .bool(!argument.isOptional)),
      ("repeating", .bool(argument.isRepeating)), ("values", values(argument)),
      ("default", argument.defaultValue.map { .string($0) } ?? .null),
    ])
  }

  private func option(_ option: CommandTree.Argument) -> JSONValue {
    let isFlag = option.kind == .flag
    return .body([
      ("names", .array(option.spellings.map { .string($0) })),
      ("kind", .string(isFlag ? "flag" : "option")),
      ("value", isFlag ? .null : .string(option.valueName ?? "value")),
      ("help", .string(option.abstract ?? "")), ("required", .bool(!option.isOptional)),
      ("repeating", .bool(option.isRepeating)), ("values", values(option)),
      ("default", option.defaultValue.map { .string($0) } ?? .null),
    ])
  }

  /// The words that are taken; null where any are.
  private func values(_ argument: CommandTree.Argument) -> JSONValue {
    guard let values = argument.allValues, !values.isEmpty else { return .null }
    return .array(values.map { .string($0) })
  }

  private func sorted(_ options: [CommandTree.Argument]) -> [CommandTree.Argument] {
    options.sorted { ($0.spellings.first ?? "") < ($1.spellings.first ?? "") }
  }

  private func exits(_ codes: [(code: Int, meaning: String)]) -> JSONValue {
    .array(
      codes.map { .body([("code", .integer($0.code)), ("meaning", .string($0.meaning))]) })
  }
}
