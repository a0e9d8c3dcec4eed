/// The verbs of the command line as values: names, subcommands, options. Generated from the
/// parser's own description, so completion after `:` matches the shell.
package struct VerbTable: Hashable, Sendable {
  /// One verb, or the program itself.
  package struct Verb: Hashable, Sendable {
    package var name: String
    /// One sentence.
    package var abstract: String
    package var options: [Option]
    package var arguments: [Argument]
    /// The verbs below it, in the order of help.
    package var verbs: [Verb]

    package init(
      name: String, abstract: String = "", options: [Option] = [], arguments: [Argument] = [],
      verbs: [Verb] = []
    ) {
      self.name = name
      self.abstract = abstract
      self.options = options
      self.arguments = arguments
      self.verbs = verbs
    }

    package func verb(_ name: String) -> Verb? { verbs.first { $0.name == name } }

    /// The option that a word such as `--json` or `-n` names.
    package func option(_ word: String) -> Option? { options.first { $0.names.contains(word) } }
  }

  package struct Option: Hashable, Sendable {
    /// With their dashes, the preferred one first.
    package var names: [String]
    /// The placeholder of its value in help; nil for a flag.
    package var valueName: String?
    /// The values that it can have; empty when they are not a finite set.
    package var values: [String]
    package var abstract: String

    package init(
      _ names: [String], valueName: String? = nil, values: [String] = [], abstract: String = ""
    ) {
      self.names = names
      self.valueName = valueName
      self.values = values
      self.abstract = abstract
    }
  }

  /// A positional argument, such as the number of a fact.
  package struct Argument: Hashable, Sendable {
    package var name: String
    package var values: [String]
    package var isOptional: Bool
    package var isRepeating: Bool

    package init(
      _ name: String, values: [String] = [], isOptional: Bool = false, isRepeating: Bool = false
    ) {
      self.name = name
      self.values = values
      self.isOptional = isOptional
      self.isRepeating = isRepeating
    }
  }

  /// The verbs of the program, in the order of help.
  package var verbs: [Verb]

  package init(verbs: [Verb] = []) { self.verbs = verbs }

  /// A verb by its words, such as `facts search`; nil if there is none.
  package func verb(_ path: [String]) -> Verb? {
    var here = Verb(name: "", verbs: verbs)
    for name in path {
      guard let next = here.verb(name) else { return nil }
      here = next
    }
    return path.isEmpty ? nil : here
  }

  /// Options that say which backend is meant and how it is reached. In a line inside the cockpit
  /// that is always the one on the screen.
  package static let connectionOptions: Set<String> = [
    "--url", "--token-file", "--profile", "--ca-file", "--config", "--allow-plain-http", "--demo",
  ]
}
