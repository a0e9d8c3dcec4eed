import ArgumentParser
import CockpitStores
import Foundation

/// Takes in an event stream from a file; measured from outside as a whole process.
struct IngestCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ingest", abstract: "Take in a recorded event stream (a part of the run).")

  @Argument var stream: String
  @Option(help: "Bytes of actions that are kept.") var memory = 64 << 20
  @Flag(help: "Only find the events.") var framesOnly = false

  /// As much as one read from a socket gives.
  private static let chunk = 64 << 10

  func run() throws {
    try MainActor.assumeIsolated {
      let descriptor = open(stream, O_RDONLY)
      guard descriptor >= 0 else { throw BenchmarkError("cannot read \(stream)") }
      defer { close(descriptor) }
      let ingester = Ingester(memory: memory, framesOnly: framesOnly)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
      defer { buffer.deallocate() }
      var marks = SoakMarks(every: 25_000)
      marks.note(ingester)
      while case let count = read(descriptor, buffer.baseAddress, buffer.count), count > 0 {
        ingester.feed(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        marks.note(ingester)
      }
      print("rejected=\(ingester.activity.log.totals.rejected)")
    }
  }
}

/// Takes in a stream that is made on the way, so that no file of gigabytes is needed: for memory,
/// not for speed.
struct SoakCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "soak", abstract: "Take in very many actions (a part of the run).")

  @Option var actions = 1_000_000
  @Option var memory = 64 << 20

  func run() throws {
    MainActor.assumeIsolated {
      let ingester = Ingester(memory: memory)
      var corpus = CorpusStream()
      var marks = SoakMarks(every: 25_000)
      while corpus.count < actions {
        corpus.next(limit: actions) { event, _ in event.withUnsafeBytes { ingester.feed($0) } }
        marks.note(ingester)
      }
    }
  }
}

/// Prints the size of the process now and then: `actions bytes resident`.
@MainActor
struct SoakMarks {
  private let interval: Int
  private var next = 0

  init(every interval: Int) { self.interval = interval }

  mutating func note(_ ingester: Ingester) {
    guard ingester.actions >= next else { return }
    next += interval
    print(ingester.actions, ingester.payloadBytes, ProcessFigures.residentBytes(getpid()) ?? 0)
  }
}
