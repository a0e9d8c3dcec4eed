import Children
import CockpitSession
import Foundation
import TerminalCore

/// The keys that tmux keeps for itself.
enum TmuxPrefix {
  /// tmux answers at once, or hangs.
  private static let patience = Duration.seconds(2)

  /// The prefix of the running tmux; its defaults if none runs, because it may be used another day.
  static func read(_ process: Environment) -> [KeyChord] {
    let environment = process.variables
    let standard: [KeyChord] = ["C-b"]
    guard !(environment["TMUX"] ?? "").isEmpty,
      let tmux = Program.find("tmux", environment: environment)
    else { return standard }
    let said = ["prefix", "prefix2"].flatMap { option -> [Substring] in
      let program = HelperProgram(
        path: tmux, arguments: ["show", "-gv", option], environment: environment)
      // An answer that is nice to have: without one the standard holds.
      let answer = Result { () throws(HelperProgram.Problem) in
        try program.run(patience: patience) { process.isOver }
      }
      guard case .success(let answer) = answer, answer.status == 0 else { return [] }
      return String(decoding: answer.output, as: UTF8.self).split(separator: "\n")
    }
    let chords = said.filter { $0 != "None" }.compactMap { try? KeyChord(parsing: String($0)) }
    return said.isEmpty ? standard : chords
  }
}
