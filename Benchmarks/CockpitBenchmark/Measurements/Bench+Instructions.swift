import Foundation

extension Bench {
  /// Instructions per event: the difference of two sizes, so that the start of the process and the
  /// first touch of the ring do not count. The one figure that noise does not move.
  func measureInstructions() throws {
    guard valgrind != nil else {
      for target in [Target.instructions] {
        report.missing(target, "valgrind is not installed")
      }
      return
    }
    report.begin("Instructions per event (callgrind, difference of 20,000 and 40,000 events)")
    let counts = try instructionsPerEvent(20_000, 40_000)
    report.measured(.instructions, counts.all)
    report.add("instructions per event of framing alone", figure: number(counts.framing, 0))
  }

  /// For the whole path into the stores, and for framing alone.
  func instructionsPerEvent(
    _ few: Int, _ many: Int
  ) throws -> (all: Double, framing: Double) {
    guard let valgrind else { throw BenchmarkError("valgrind is not installed") }
    let small = try CorpusFiles.write(actions: few, directory: folder, name: "small")
    let large = try CorpusFiles.write(actions: many, directory: folder, name: "large")
    let stripped = "\(folder)/stripped"
    try Child.strip(Self.ingester, to: stripped)
    defer {
      for path in [small.stream, small.lines, large.stream, large.lines, stripped] { unlink(path) }
    }
    // Hash tables fill alike in every run.
    let hashing = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"])
    {
      $1
    }
    let perEvent = { (flags: [String]) in
      let counts = try [small, large].map { corpus in
        let child = try Child.run(
          valgrind,
          ["--tool=callgrind", "--callgrind-out-file=/dev/null", stripped, corpus.stream]
            + flags, environment: hashing)
        return try Self.collectedInstructions(child.errors)
      }
      return Double(counts[1] - counts[0]) / Double(many - few)
    }
    return try (perEvent([]), perEvent(["--frames-only"]))
  }

  /// The count that callgrind says.
  static func collectedInstructions(_ text: String) throws -> Int {
    for line in text.split(separator: "\n") where line.contains("Collected :") {
      if let count = line.split(separator: " ").last.flatMap({ Int($0) }) { return count }
    }
    throw BenchmarkError("callgrind said nothing: \(text.suffix(300))")
  }
}
