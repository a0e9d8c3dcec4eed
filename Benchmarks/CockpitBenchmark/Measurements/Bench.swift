import Foundation

/// What all measurements share: the programs, a folder of their own, the effort, the table.
final class Bench {
  /// How often and how long.
  struct Effort {
    var actions: Int
    var pairs: Int
    /// Seconds of one window of a quiet screen, and how many windows.
    var window: Double
    var windows: Int
    var settle: Double
    var keys: Int
    var soakActions: Int

    static let full = Effort(
      actions: 200_000, pairs: 7, window: 30, windows: 5, settle: 8, keys: 60,
      soakActions: 1_000_000)
    static let quick = Effort(
      actions: 50_000, pairs: 3, window: 9, windows: 2, settle: 6, keys: 20,
      soakActions: 300_000)
  }

  let cockpit: String
  /// The build that serves the demo.
  let backend: String
  let htop: String?
  let jq: String?
  let valgrind: String?
  /// This program, for its parts.
  let itself: String
  let folder: String
  let effort: Effort
  var report = Report()

  init(cockpit: String, backend: String, folder: String, effort: Effort) throws {
    self.cockpit = cockpit
    self.backend = backend
    self.folder = folder
    self.effort = effort
    htop = Child.find("htop")
    jq = Child.find("jq")
    valgrind = Child.find("valgrind")
    itself = Bundle.main.executablePath ?? CommandLine.arguments[0]
    guard access(cockpit, X_OK) == 0 else {
      throw BenchmarkError("there is no program at \(cockpit); build it first")
    }
  }

  /// A cockpit on a screen of its own, pointed at a demo backend.
  func openCockpit(_ demo: DemoProcess, arguments: [String] = []) throws -> Screen {
    try Screen(cockpit, ["open"] + demo.arguments + arguments, home: folder)
  }

  /// `htop` with the cockpit's interval of 3 s.
  func openHtop() throws -> Screen? {
    try htop.map { try Screen($0, ["-d", "30"], home: folder) }
  }

  /// Whether the cockpit shows a complete frame: its tabs on top, its hints at the bottom, rows
  /// between them.
  static func isCockpitComplete(_ screen: Screen) -> Bool {
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let last = lines.last, last.contains("quit") else { return false }
    return lines.count { $0.contains(where: \.isNumber) } > Screen.rows / 2
  }

  static func isHtopComplete(_ screen: Screen) -> Bool { screen.text.contains("F10Quit") }
}
