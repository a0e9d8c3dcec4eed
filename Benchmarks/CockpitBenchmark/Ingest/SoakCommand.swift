import ArgumentParser
import Foundation

/// Feeds `cockpit-ingest` a stream that is generated on the fly, so that no file of gigabytes is
/// needed: for memory, not for speed. The generator is another process, whose memory does not
/// count.
struct SoakCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Take in very many actions (a part of the run).")

  @Option var actions = 1_000_000
  @Option var memory = 64 << 20

  func run() throws {
    signal(SIGPIPE, SIG_IGN)  // should the other end early, a write fails and says so
    let pipe = Pipe()
    let ingester = Process()
    ingester.executableURL = URL(filePath: Bench.ingester)
    ingester.arguments = ["/dev/stdin", "--marks", "--memory", String(memory)]
    ingester.standardInput = pipe.fileHandleForReading
    try ingester.run()
    try pipe.fileHandleForReading.close()
    var corpus = CorpusStream()
    while corpus.count < actions {
      var bytes: [UInt8] = []
      corpus.next(limit: actions) { event, _ in bytes += event }
      try pipe.fileHandleForWriting.write(contentsOf: bytes)
    }
    try pipe.fileHandleForWriting.close()
    ingester.waitUntilExit()
    guard ingester.terminationStatus == 0 else { throw BenchmarkError("cockpit-ingest failed") }
  }
}

extension Bench {
  /// The program that only ingests a stream, built beside this one.
  static var ingester: String {
    let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    return own.deletingLastPathComponent().appending(path: "cockpit-ingest").path
  }
}
