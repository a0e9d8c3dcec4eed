import CockpitPanes
import Foundation
import TerminalCore

/// clanky-cockpit.1 in mdoc(7): verbs and options from the parser, keys from the key table.
struct ManualPage {
  var tree: CommandTree
  var keys: KeyTable
  /// `November 22, 2026`
  var date: String

  var mdoc: String {
    var page = Mdoc()
    page.macro("Dd", date)
    page.macro("Dt", "CLANKY-COCKPIT 1")
    page.macro("Os")
    page.macro("Sh", "NAME")
    page.macro("Nm", "clanky-cockpit")
    page.macro("Nd", "terminal cockpit for people who run a Clanky bot")
    page.macro("Sh", "SYNOPSIS")
    page.macro("Nm", "clanky-cockpit")
    page.macro("Op", "Ar verb")
    page.macro("Op", "Ar options")
    page.macro("Sh", "DESCRIPTION")
    page.text(
      """
      Shows what a Clanky bot does as it happens: the feed of its actions, the live voice session, \
      how an answer came about, what it remembers, and the connection. Without a verb the \
      full-screen cockpit opens. Every verb prints to standard output what a screen shows; words \
      for people go to standard error.
      """)
    commands(&page)
    keySection(&page)
    files(&page)
    page.macro("Sh", "EXIT STATUS")
    page.list([
      ("0", "Done."), ("1", "Failed, or nothing found where that is documented."),
      ("2", "Usage, configuration, or a refused address or token file."),
      ("3", "No connection, or not a Clanky backend."), ("4", "Authentication."),
    ])
    page.macro("Sh", "EXAMPLES")
    page.example("Try it without a backend:", "clanky-cockpit --demo")
    page.example(
      "Follow the errors:", "clanky-cockpit tail --filter 'is:error' --url https://bot.example")
    page.example("In a status bar:", "clanky-cockpit widget small --format tmux")
    page.macro("Sh", "SEE ALSO")
    page.macro("Xr", "tmux 1 ,")
    page.macro("Xr", "terminfo 5")
    return page.lines.joined(separator: "\n") + "\n"
  }

  private func commands(_ page: inout Mdoc) {
    let shared = tree.sharedOptions
    let sharedNames = Set(shared.flatMap(\.spellings))
    page.macro("Sh", "COMMANDS")
    for verb in tree.verbs {
      page.macro("Ss", verb.name)
      page.text(verb.command.abstract ?? "")
      page.literal([verb.synopsis])
      if let discussion = verb.command.discussion { page.discussion(discussion) }
      page.options(
        verb.shown.filter { $0.kind == .positional || !sharedNames.contains($0.spellings[0]) })
    }
    page.macro("Sh", "OPTIONS")
    page.text("Every verb that talks to a backend understands these.")
    page.options(shared)
  }

  private func keySection(_ page: inout Mdoc) {
    page.macro("Sh", "KEYS")
    page.text("These are the keys of a fresh installation; ? shows the present ones.")
    for group in KeyGroup.allCases {
      page.macro("Ss", group.rawValue.capitalized)
      page.list(
        keys.bindings.filter { $0.group == group }.map {
          ($0.keyTexts.joined(separator: ", "), $0.help.description)
        })
    }
  }

  private func files(_ page: inout Mdoc) {
    page.macro("Sh", "ENVIRONMENT")
    page.list([
      ("CLANKY_URL", "The address of the backend, when neither option nor profile gives one."),
      ("CLANKY_TOKEN", "The token, when there is no --token-file."),
      (
        "OPENCLAW_GATEWAY_TOKEN, OPENCLAW_GATEWAY_PASSWORD",
        "What opens a gateway of OpenClaw, when there is no --token-file."
      ),
      ("EDITOR, VISUAL, PAGER", "The programs that edit and show long texts."),
      ("NO_COLOR, CLICOLOR, CLICOLOR_FORCE, COLORTERM, TERM", "How many colours are used."),
      ("HTTPS_PROXY, NO_PROXY", "The way to the backend; never used for this machine."),
      (
        "XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME, XDG_DATA_DIRS",
        "Where the files below are; the usual places in the home directory without them."
      ),
    ])
    page.macro("Sh", "FILES")
    page.list([
      ("~/.config/clanky-cockpit/config.toml", "Profiles, looks, keys, alerts."),
      ("~/.config/clanky-cockpit/themes/", "Themes of your own; they win over installed ones."),
      ("~/.local/state/clanky-cockpit/", "Drafts, the journal of changes, the log. Mode 0700."),
      ("~/.cache/clanky-cockpit/", "What widgets showed last. Can be removed at any time."),
    ])
  }
}

/// Lines of mdoc(7), escaped and wrapped so that mandoc has nothing to say.
struct Mdoc {
  private(set) var lines: [String] = []

  /// A macro line; the arguments are not escaped.
  mutating func macro(_ name: String, _ arguments: String = "") {
    lines.append(arguments.isEmpty ? ".\(name)" : ".\(name) \(arguments)")
  }

  /// Running text: a line for each sentence at least.
  mutating func text(_ text: String) {
    for sentence in Self.sentences(text) {
      var line = ""
      for word in sentence.split(separator: " ") {
        let word = Self.escaped(String(word))
        if !line.isEmpty, line.count + word.count > 74 {
          lines.append(line)
          line = ""
        }
        line += line.isEmpty ? Self.guarded(word) : " " + word
      }
      if !line.isEmpty { lines.append(line) }
    }
  }

  mutating func literal(_ text: [String]) {
    macro("Bd", "-literal -offset indent")
    lines += text.map { Self.guarded(Self.escaped($0)) }
    macro("Ed")
  }

  mutating func example(_ text: String, _ command: String) {
    if lines.last != ".Sh EXAMPLES" { macro("Pp") }
    self.text(text)
    literal([command])
  }

  /// Paragraphs, and indented lines as they are.
  mutating func discussion(_ text: String) {
    var code: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if paragraph.hasPrefix("  ") {
        code.append(String(paragraph.dropFirst(2)))
        continue
      }
      if !code.isEmpty { literal(code) }
      code = []
      if paragraph.isEmpty { continue }
      macro("Pp")
      self.text(String(paragraph))
    }
    if !code.isEmpty { literal(code) }
  }

  mutating func options(_ options: [CommandTree.Argument]) {
    list(
      options.map { option in
        let head =
          option.kind == .positional
          ? option.value ?? ""
          : option.spellings.joined(separator: ", ") + (option.value.map { " \($0)" } ?? "")
        return (head, option.help)
      })
  }

  /// A list of bold terms and their descriptions.
  mutating func list(_ items: [(String, String)]) {
    guard !items.isEmpty else { return }
    macro("Bl", "-tag -width Ds")
    for (head, help) in items {
      // Colons and brackets would be parsed as punctuation.
      macro("It", "Sy \"\\&\(Self.escaped(head).replacing("\"", with: "\\(dq"))\\&\"")
      text(help)
    }
    macro("El")
  }

  /// Splits where a sentence ends and another begins.
  private static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    var current = ""
    for word in text.split(separator: " ") {
      current += current.isEmpty ? word : " " + word
      if let last = word.last, ".!?:".contains(last), word.count > 1 {
        sentences.append(current)
        current = ""
      }
    }
    return current.isEmpty ? sentences : sentences + [current]
  }

  private static func escaped(_ text: String) -> String {
    var output = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": output += "\\e"
      case "-": output += "\\-"
      case "'": output += "\\(aq"
      case "`": output += "\\(ga"
      case "~": output += "\\(ti"
      case "^": output += "\\(ha"
      case _ where scalar.isASCII: output.unicodeScalars.append(scalar)
      default: output += "\\[u\(String(scalar.value, radix: 16, uppercase: true).leftPadded(4))]"
      }
    }
    return output
  }

  /// A line that begins with a dot would be a macro.
  private static func guarded(_ line: String) -> String {
    line.hasPrefix(".") || line.hasPrefix("'") ? "\\&" + line : line
  }
}

extension String {
  fileprivate func leftPadded(_ count: Int) -> String {
    String(repeating: "0", count: max(0, count - self.count)) + self
  }
}
