/// Text that a terminal must not take at its word.
enum HostileWords {
  /// Members that people read. What the protocol itself reads stays as it is, and so do the words of a run: cumulative
  /// text and deltas would disagree.
  private static let read: Set<String> = [
    "title", "command", "description", "detail", "displayName", "host", "preview", "question",
    "label", "header", "errorMessage", "error", "summary", "warningText", "cwd", "explanation",
    "step", "output", "derivedTitle", "lastMessagePreview", "progressSummary",
    "terminalSummary", "resolvedBy", "lastError", "senderLabel", "name", "meta",
  ]

  private static let pieces = [
    "\u{1B}[2J\u{1B}[31m", "\u{1B}]0;owned\u{7}", "\u{202E}", "\u{9B}5m", "\u{0}\u{8}\u{7F}",
    "\u{200B}\u{FEFF}", "\u{E0041}\u{E0042}", "\r\n", "\u{1B}]52;c;cm0gLXJm\u{7}", "\u{2066}",
  ]

  /// The words of a run.
  static let chunks = pieces.map { "before \($0) after " } + ["end"]

  static func poison(_ json: DemoJSON) -> DemoJSON {
    switch json {
    case .array(let values): return .array(values.map(poison))
    case .object(let object):
      var out = object
      for index in out.members.indices {
        let member = out.members[index]
        if read.contains(member.key), case .string(let text) = member.value {
          let sum = text.utf8.reduce(0) { $0 &+ Int($1) }
          out.members[index].value = .string(pieces[sum % pieces.count] + text + "\u{1B}[0m")
        } else {
          out.members[index].value = poison(member.value)
        }
      }
      return .object(out)
    default: return json
    }
  }
}
