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
    let profile = { (isUsed: Bool) in
      let path = "\(folder)/profile-\(isUsed)"
      let screen = try Screen(
        valgrind,
        [
          "-q", "--tool=callgrind", "--dump-instr=yes", "--callgrind-out-file=\(path)", stripped,
          "open",
        ] + demo.arguments, home: folder)
      try Self.drive(screen, isUsed: isUsed)
      let text = try String(contentsOfFile: path, encoding: .utf8)
      return table.fold(CallgrindProfile(text, program: "/cockpit"))
    }
    let started = try profile(false)
    let used = try profile(true)

    // What runs again and again first, then what only a start runs: its pages are given back.
    let again = used.keys.filter { index in
      let start = started[index] ?? 0
      return (used[index] ?? 0) - start > start / 20
    }
    let once = Set(used.keys).union(started.keys).subtracting(again)
    let order = (again.sorted() + once.sorted()).filter { !table.isAmbiguous($0) }
    guard order.count > 1000 else {
      throw BenchmarkError("only \(order.count) functions ran; has the cockpit its symbols?")
    }
    let text = order.map { table.names[$0] + "\n" }.joined()
    try Data(text.utf8).write(to: URL(fileURLWithPath: output))
    FileHandle.standardError.write(
      Data("\(again.count) functions run again and again, \(once.count) at the start only\n".utf8))
  }

  /// Opens the cockpit and quits; `isUsed` with every tab, keys, rows and ticks in between. It is
  /// fifty times slower than in life.
  private static func drive(_ screen: Screen, isUsed: Bool) throws {
    guard Screen.serve([screen], seconds: 120, until: { Bench.isCockpitComplete(screen) }) else {
      throw BenchmarkError("no complete frame:\n\(screen.text)")
    }
    if isUsed {
      Screen.serve([screen], seconds: 12)
      for _ in 0..<6 {
        screen.send(.down)
        Screen.serve([screen], seconds: 0.7)
      }
      for key in ["\r", "\u{1B}", "?", "\u{1B}", "2", "3", "4", "5", "1", "f", "\u{1B}", "G", "g"] {
        screen.send(key)
        Screen.serve([screen], seconds: 1)
      }
      for _ in 0..<6 {
        screen.send(.up)
        Screen.serve([screen], seconds: 0.7)
      }
      Screen.serve([screen], seconds: 10)
    }
    screen.send("q")
    guard screen.end(seconds: 120) != nil else {
      throw BenchmarkError("the cockpit did not quit:\n\(screen.text)")
    }
  }
}
