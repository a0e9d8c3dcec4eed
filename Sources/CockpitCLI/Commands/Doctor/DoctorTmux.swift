import Children
import CockpitSession
import Foundation

/// The checks of tmux, if the program runs in it.
struct DoctorTmux: Sendable {
  let process: Environment
  private var environment: [String: String] { process.variables }

  private static let patience = Duration.milliseconds(500)

  /// Asks tmux, which may take some seconds.
  func checks() -> [DoctorCheck] {
    guard !(environment["TMUX"] ?? "").isEmpty else { return [] }
    guard let tmux = Program.find("tmux", environment: environment),
      let version = run(tmux, ["-V"])
    else {
      return [
        DoctorCheck(
          "tmux", .warn, "TMUX is set, but tmux cannot be asked",
          "put tmux on the PATH, or look at its settings by hand")
      ]
    }
    var checks = [DoctorCheck("tmux", .ok, version)]
    if let text = run(tmux, ["show", "-sv", "escape-time"]), let ms = Int(text) {
      checks.append(
        ms > 50
          ? DoctorCheck(
            "escape-time", .warn, "tmux holds the Esc key back for \(ms) ms",
            "put 'set -sg escape-time 10' into ~/.tmux.conf")
          : DoctorCheck("escape-time", .ok, "\(ms) ms"))
    }
    checks += setting(
      tmux, ["show", "-sv", "set-clipboard"], "set-clipboard", bad: ["off"],
      "copied text does not get out of tmux", "put 'set -s set-clipboard on' into ~/.tmux.conf")
    checks += setting(
      tmux, ["show", "-gwv", "allow-passthrough"], "passthrough", bad: ["off"],
      "notifications do not get out of tmux, only its bell",
      "put 'set -g allow-passthrough on' into ~/.tmux.conf")
    checks += setting(
      tmux, ["show", "-sv", "focus-events"], "focus-events", bad: ["off"],
      "the cockpit cannot know when nobody looks, so nothing notifies",
      "put 'set -s focus-events on' into ~/.tmux.conf")
    return checks
  }

  /// A check of one setting; none when this tmux does not know it.
  private func setting(
    _ tmux: String, _ arguments: [String], _ name: String, bad: [String], _ problem: String,
    _ advice: String
  ) -> [DoctorCheck] {
    guard let value = run(tmux, arguments), !value.isEmpty else { return [] }
    return [
      bad.contains(value)
        ? DoctorCheck(name, .warn, "\(value): \(problem)", advice) : DoctorCheck(name, .ok, value)
    ]
  }

  /// The first line of tmux's output; nil if there is none.
  private func run(_ tmux: String, _ arguments: [String]) -> String? {
    let program = HelperProgram(path: tmux, arguments: arguments, environment: environment)
    let answer = Result { () throws(HelperProgram.Problem) in
      try program.run(patience: Self.patience) { process.isOver }
    }
    guard case .success(let answer) = answer, answer.status == 0 else { return nil }
    return String(decoding: answer.output, as: UTF8.self).split(separator: "\n").first
      .map(String.init)
  }
}
