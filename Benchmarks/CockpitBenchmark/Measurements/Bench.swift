import Foundation

/// Shared by all measurements: the programs, a scratch folder, the effort, the table.
final class Bench {
  /// Repetitions and durations.
  struct Effort {
    var actions: Int
    var pairs: Int
    /// Seconds of one window of a quiet screen, and how many windows.
    var window: Double
    var windows: Int
    var settle: Double
    /// Rounds of keys, and keys of each program in one.
    var rounds: Int
    var keys: Int
    var soakActions: Int
    /// Seconds at 1,000 actions a second.
    var flood: Double

    static let full = Effort(
      actions: 200_000, pairs: 7, window: 30, windows: 5, settle: 8, rounds: 5, keys: 12,
      soakActions: 1_000_000, flood: 60)
    static let quick = Effort(
      actions: 50_000, pairs: 3, window: 9, windows: 2, settle: 6, rounds: 3, keys: 6,
      soakActions: 300_000, flood: 15)
  }

  let cockpit: String
  /// The build that serves the demo.
  let backend: String
  let htop: String?
  let btop: String?
  let jq: String?
  let lnav: String?
  let valgrind: String?
  /// Where scripts/benchmark put the compiled yardsticks.
  private let yardsticks: String?
  /// This program, for its parts.
  let itself: String
  let folder: String
  let effort: Effort
  var report = Report()

  init(
    cockpit: String, backend: String, yardsticks: String? = nil, folder: String, effort: Effort
  ) throws {
    // As the kernel names it in a memory map.
    self.cockpit = URL(fileURLWithPath: cockpit).resolvingSymlinksInPath().path
    self.backend = backend
    self.yardsticks = yardsticks
    self.folder = folder
    self.effort = effort
    htop = Child.find("htop")
    btop = Child.find("btop")
    jq = Child.find("jq")
    lnav = Child.find("lnav")
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

  /// The same, pointed at the measuring backend.
  func openCockpit(_ backend: BackendProcess, arguments: [String] = []) throws -> Screen {
    try Screen(cockpit, ["open"] + backend.arguments + arguments, home: folder)
  }

  /// `btop` with the same interval.
  func openBtop() throws -> Screen? {
    guard let btop else { return nil }
    let place = "\(folder)/.config/btop"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try "update_ms = 3000\n".write(toFile: "\(place)/btop.conf", atomically: true, encoding: .utf8)
    return try Screen(btop, ["--utf-force"], home: folder)
  }

  /// `lnav` on a small log in our format.
  func openLnav() throws -> Screen? {
    guard let lnav else { return nil }
    let small = try CorpusFiles.write(actions: 220, directory: folder, name: "screen")
    unlink(small.stream)
    return try Screen(lnav, try lnavArguments + [small.lines], home: folder)
  }

  /// A yardstick program of ours, if it was compiled.
  ///
  /// - Parameter mode: that of access(2); `R_OK` for non-executables.
  func yardstick(_ name: String, mode: Int32 = X_OK) -> String? {
    yardsticks.map { URL(fileURLWithPath: "\($0)/\(name)").resolvingSymlinksInPath().path }
      .flatMap { access($0, mode) == 0 ? $0 : nil }
  }

  /// Whether the cockpit shows a complete frame: its tabs on top, its hints at the bottom, rows
  /// between them.
  static func isCockpitComplete(_ screen: Screen) -> Bool {
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let last = lines.last, last.contains("? help") else { return false }
    return lines.count { $0.contains(where: \.isNumber) } > Screen.rows / 2
  }

  static func isHtopComplete(_ screen: Screen) -> Bool { screen.text.contains("F10Quit") }
}
