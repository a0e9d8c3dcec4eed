import CockpitPanes

/// A verb with its words, separated into options and arguments.
struct VerbLine: Hashable, Sendable {
  /// The verb and those below it, such as `["facts", "search"]`.
  var path: [String]
  var verb: VerbTable.Verb
  /// The values of each option, by its preferred name; a flag has one empty value.
  private(set) var options: [String: [String]] = [:]
  private(set) var arguments: [String] = []
  /// Everything after the path, as it was written.
  private(set) var rest: [String]

  /// - Throws: when an option is not known or lacks its value.
  init(path: [String], verb: VerbTable.Verb, rest: [String]) throws(LineProblem) {
    self.path = path
    self.verb = verb
    self.rest = rest
    var index = 0
    var isOver = false
    while index < rest.count {
      let word = rest[index]
      index += 1
      if word == "--", !isOver {
        isOver = true
        continue
      }
      guard !isOver, word.hasPrefix("-"), word.count > 1 else {
        arguments.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = verb.option(name), let preferred = option.names.first else {
        throw Self.unknown(name, path, verb)
      }
      guard option.valueName != nil else {
        options[preferred, default: []].append("")
        continue
      }
      if parts.count > 1 {
        options[preferred, default: []].append(String(parts[1]))
      } else if index < rest.count {
        options[preferred, default: []].append(rest[index])
        index += 1
      } else {
        throw LineProblem("\(name) wants a value: \(name) \(option.valueName ?? "VALUE")")
      }
    }
  }

  private static func unknown(
    _ name: String, _ path: [String], _ verb: VerbTable.Verb
  ) -> LineProblem {
    let known = verb.options.flatMap(\.names)
    return LineProblem(
      "\(path.joined(separator: " ")) has no option \(name)", nearest: name, in: known)
  }

  /// The last value of an option.
  func value(_ name: String) -> String? { options[name]?.last }

  func has(_ name: String) -> Bool { options[name] != nil }

  /// Whether all given options are in `names`: then the screen can show the full result.
  func hasOnly(_ names: Set<String>) -> Bool { options.keys.allSatisfy(names.contains) }

  /// The verb with its words, as arguments of the program.
  var words: [String] { path + rest }
}
