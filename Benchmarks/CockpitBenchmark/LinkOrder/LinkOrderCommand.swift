import ArgumentParser
import Foundation

/// Finds out which functions a cockpit runs, so that the linker can put them side by side.
///
/// The program is 29 MB of code, most of it Foundation, ICU and the runtime, of which some 2.5 MB
/// ever run. Scattered they keep twice as many pages in memory.
struct LinkOrderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link-order",
    abstract: "Record which functions a cockpit runs, for the linker.")

  @Option(help: "The cockpit, a release build with its symbols.")
  var cockpit: String

  @Option(help: ArgumentHelp("The list to write.", valueName: "FILE"))
  var output: String

  func run() throws { try ScratchFolder.use("link-order", run) }

  private func run(in folder: String) throws {
    guard let valgrind = Child.find("valgrind"), let nm = Child.find("nm") else {
      throw BenchmarkError("valgrind or nm is not installed")
    }
    let stripped = "\(folder)/cockpit"
    try Child.strip(cockpit, to: stripped)
    let names = try Child.run(nm, ["-n", "--defined-only", cockpit], keepsOutput: true).output
    let table = FunctionTable(nm: names)

    let demo = try DemoProcess(cockpit: cockpit, scenario: "story")
    let profile = { (use: Use) in
      let path = "\(folder)/profile-\(use)"
      let screen = try Screen(
        valgrind,
        [
          "-q", "--tool=callgrind", "--dump-instr=yes", "--callgrind-out-file=\(path)", stripped,
          "open",
        ] + demo.arguments, home: folder)
      try Self.drive(screen, use)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return table.fold(CallgrindProfile(text, program: "/cockpit"))
    }
    // What status bars call every few seconds lies with what runs once.
    let called = try ["status", "widget"].map { verb in
      let path = "\(folder)/profile-\(verb)"
      let tool = ["-q", "--tool=callgrind", "--dump-instr=yes", "--callgrind-out-file=\(path)"]
      // A status that is not "healthy" ends with another code.
      _ = try Child.run(valgrind, tool + [stripped, verb] + demo.arguments)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return table.fold(CallgrindProfile(text, program: "/cockpit"))
    }
    let started = try profile(.start)
    let feed = try profile(.feed)
    let used = try profile(.all)

    // Code that runs repeatedly, and not only at the start.
    let again = { (profile: [Int: Int]) in
      Set(
        profile.keys.filter { index in
          let start = started[index] ?? 0
          return (profile[index] ?? 0) - start > start / 20
        })
    }
    let reading = again(feed)
    let elsewhere = again(used).subtracting(reading)
    let start = Set(started.keys)
    let once = called.reduce(start.union(used.keys).union(feed.keys)) { $0.union($1.keys) }
      .subtracting(reading).subtracting(elsewhere)
    // Four groups, so that the code for a key in the feed is contiguous, and the code for a start
    // too: they share the third. The pages of the fourth are released. Within a group the linker's
    // own order is kept: sorted by frequency, callers and callees were further apart, and keys took
    // longer.
    let order = [
      elsewhere, reading.subtracting(start), reading.intersection(start), once,
    ].flatMap { $0.sorted() }.filter { !table.isAmbiguous($0) }
    guard order.count > 1000 else {
      throw BenchmarkError("only \(order.count) functions ran; has the cockpit its symbols?")
    }
    let text = order.map { table.names[$0] + "\n" }.joined()
    try Data(text.utf8).write(to: URL(fileURLWithPath: output))
    FileHandle.standardError.write(
      Data(
        """
        \(reading.count) functions run while the feed is read, \(reading.intersection(start).count) of \
        them at the start too; \(elsewhere.count) in other tabs, \(once.count) once

        """.utf8))
  }

  /// The use of a cockpit before it quits.
  private enum Use {
    /// Nothing: its start is all that runs.
    case start
    /// Rows come, and the cursor moves among them.
    case feed
    /// Every tab, and keys of all kinds.
    case all
  }

  /// Opens the cockpit, uses it and quits. It is fifty times slower than in life.
  private static func drive(_ screen: Screen, _ use: Use) throws {
    guard Screen.serve([screen], seconds: 120, until: { Bench.isCockpitComplete(screen) }) else {
      throw BenchmarkError("no complete frame:\n\(screen.text)")
    }
    func press(_ arrow: Screen.Arrow) {
      for _ in 0..<6 {
        screen.send(arrow)
        Screen.serve([screen], seconds: 0.7)
      }
    }
    if use != .start {
      Screen.serve([screen], seconds: 12)
      press(.down)
    }
    if use == .all {
      for key in ["\r", "\u{1B}", "?", "\u{1B}", "2", "3", "4", "5", "1", "f", "\u{1B}", "G", "g"] {
        let frames = screen.frames
        screen.send(key)
        // Esc and the key behind it are Alt with that key if they are read together.
        Screen.serve([screen], seconds: 20) { screen.frames > frames }
        Screen.serve([screen], seconds: 1)
      }
    }
    if use != .start {
      press(.up)
      Screen.serve([screen], seconds: 10)
    }
    screen.send("q")
    guard screen.end(seconds: 120) != nil else {
      throw BenchmarkError("the cockpit did not quit:\n\(screen.text)")
    }
  }
}
