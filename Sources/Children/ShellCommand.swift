/// A command line of the user's, as `EDITOR` holds it: given to the shell as it is, quotes and options
/// included, as git does. Never put together with anything else's text.
package struct ShellCommand: Hashable, Sendable {
  /// The variable that set the command; nil for the default.
  package let variable: String?
  package let line: String

  /// `VISUAL`, else `EDITOR`, else `vi`.
  package static func editor(_ environment: [String: String]) -> ShellCommand {
    first(of: ["VISUAL", "EDITOR"], in: environment, else: "vi")
  }

  /// `PAGER`, else `less`.
  package static func pager(_ environment: [String: String]) -> ShellCommand {
    first(of: ["PAGER"], in: environment, else: "less")
  }

  private static func first(
    of names: [String], in environment: [String: String], else standard: String
  ) -> ShellCommand {
    for name in names {
      guard let line = environment[name], !line.allSatisfy(\.isWhitespace) else { continue }
      return ShellCommand(variable: name, line: line)
    }
    return ShellCommand(variable: nil, line: standard)
  }

  /// The program that runs it, in our process group, so that it has the terminal.
  ///
  /// - Parameter arguments: come after those of the line, each as one word.
  package func program(_ arguments: [String], environment: [String: String]) -> Program {
    // With nothing to interpret, the shell replaces itself, so that our signals reach the program.
    let exec = line.utf8.allSatisfy(Self.isPlain) ? "exec " : ""
    let words = arguments.isEmpty ? "" : " \"$@\""
    var program = Program(
      path: "/bin/sh", arguments: ["-c", exec + line + words, line] + arguments,
      environment: environment)
    program.input = .inherited
    program.output = .inherited
    program.errors = .inherited
    program.hasOwnGroup = false
    return program
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "/._-+:,@ ".utf8.contains(byte)
    }
  }

  /// Whether the exit status means that the shell could not find or run it.
  package static func isMissing(_ status: Int32) -> Bool { status == 126 || status == 127 }

  /// The message for a missing program.
  ///
  /// - Parameters:
  ///   - what: `editor` or `pager`.
  ///   - names: the variables that can name another one, such as `VISUAL or EDITOR`.
  package func missing(_ what: String, names: String) -> String {
    let said = variable.map { "\($0) is \(line)" } ?? "'\(line)' is what is run without it"
    return "the \(what) was not found; set \(names) to one that is installed (\(said))"
  }
}
