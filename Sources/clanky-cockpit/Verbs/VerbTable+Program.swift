import ArgumentParser
import CockpitPanes
import Foundation

extension VerbTable {
  /// The verbs of this program, as its parser describes them; worked out once, when first asked
  /// for: it takes longer than a frame.
  static let program = VerbTable(dump: ClankyCockpit._dumpHelp())

  /// - Parameter dump: the JSON of `--experimental-dump-help`; what cannot be read in it is left
  ///   out.
  init(dump: String) {
    guard let tool = try? JSONDecoder().decode(VerbDump.self, from: Data(dump.utf8)) else {
      self.init()
      return
    }
    let verbs = tool.command.shownCommands.filter { $0.commandName != "help" }
    self.init(verbs: verbs.map(\.verb))
  }
}

/// What the parser says about itself; its own types for this are not a product of its package.
private struct VerbDump: Decodable {
  var command: Command

  struct Command: Decodable {
    var commandName: String
    var abstract: String?
    var shouldDisplay: Bool?
    var subcommands: [Command]?
    var arguments: [Argument]?

    var shownCommands: [Command] { (subcommands ?? []).filter { $0.shouldDisplay ?? true } }

    var verb: VerbTable.Verb {
      let arguments = (arguments ?? []).filter { $0.shouldDisplay ?? true }
      return VerbTable.Verb(
        name: commandName, abstract: abstract ?? "",
        options: arguments.filter { $0.kind != "positional" }.map(\.option),
        arguments: arguments.filter { $0.kind == "positional" }.map(\.argument),
        verbs: shownCommands.map(\.verb))
    }
  }

  struct Argument: Decodable {
    struct Name: Decodable {
      var kind: String
      var name: String

      var text: String { (kind == "long" ? "--" : "-") + name }
    }

    var kind: String
    var shouldDisplay: Bool?
    var isOptional: Bool?
    var isRepeating: Bool?
    var names: [Name]?
    var preferredName: Name?
    var valueName: String?
    var allValues: [String]?
    var abstract: String?

    var option: VerbTable.Option {
      let preferred = preferredName.map { [$0.text] } ?? []
      let others = (names ?? []).map(\.text).filter { !preferred.contains($0) }
      return VerbTable.Option(
        preferred + others, valueName: kind == "flag" ? nil : valueName ?? "VALUE",
        values: allValues ?? [], abstract: abstract ?? "")
    }

    var argument: VerbTable.Argument {
      VerbTable.Argument(
        valueName ?? "VALUE", values: allValues ?? [], isOptional: isOptional ?? false,
        isRepeating: isRepeating ?? false)
    }
  }
}
