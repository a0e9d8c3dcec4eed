import ArgumentParser
import Foundation

@main
struct CockpitBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cockpit-benchmark",
    abstract:
      "Measures the cockpit against other programs, as whole processes, and prints a table.",
    subcommands: [
      RunCommand.self, GatesCommand.self, SoakCommand.self, EnduranceCommand.self,
      ProxyCommand.self, StreamCommand.self, BackendCommand.self,
      LinkOrderCommand.self, CorpusCommand.self,
    ],
    defaultSubcommand: RunCommand.self)
}

/// A group of measurements.
enum Part: String, ExpressibleByArgument, CaseIterable {
  case ingest, soak, instructions, idle, paint, frames, keys, flood, stream, parked, facts, quit
  case binary, floor, headless, answers, history
}

/// All measurements, or some.
struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run the measurements (about a quarter of an hour).")

  @Option(help: "The cockpit to measure, a release build.")
  var cockpit: String

  @Option(
    help: ArgumentHelp(
      "Run the demo backend with this build: compares two cockpits on the same traffic.",
      valueName: "cockpit"))
  var backend: String?

  @Option(help: ArgumentHelp("Where the compiled yardsticks are.", valueName: "FOLDER"))
  var yardsticks: String?

  @Flag(help: "Fewer and shorter: to see that it works, not to publish.")
  var quick = false

  @Option(help: "Only this part; may be repeated.")
  var part: [Part] = []

  @Option(
    help: ArgumentHelp("Put the budgets into this page, between its marks.", valueName: "FILE"))
  var write: String?

  @Option(help: ArgumentHelp("Write all figures into this file.", valueName: "FILE"))
  var report: String?

  func run() throws { try ScratchFolder.use("benchmark", run) }

  private func run(in folder: String) throws {
    let bench = try Bench(
      cockpit: cockpit, backend: backend ?? cockpit, yardsticks: yardsticks, folder: folder,
      effort: quick ? .quick : .full)
    for part in Part.allCases where self.part.isEmpty || self.part.contains(part) {
      switch part {
      case .ingest: try bench.measureIngest()
      case .soak: try bench.measureSoak()
      case .instructions: try bench.measureInstructions()
      case .idle: try bench.measureIdle()
      case .parked: try bench.measureParked()
      case .paint: try bench.measureFirstPaint()
      case .frames: try bench.measureFrames()
      case .flood: try bench.measureFlood()
      case .stream: try bench.measureStream()
      case .floor: try bench.measureFloor()
      case .keys: try bench.measureKeys()
      case .facts: try bench.measureFacts()
      case .quit: try bench.measureQuit()
      case .binary: try bench.measureBinary()
      case .headless: try bench.measureHeadless()
      case .answers: try bench.measureAnswers()
      case .history: try bench.measureRecording()
      }
    }
    print(bench.report.markdown)
    if let report {
      try bench.report.markdown.write(toFile: report, atomically: true, encoding: .utf8)
    }
    if let write { try MarkedPage.write(bench.report.budgets, to: write) }
  }
}
