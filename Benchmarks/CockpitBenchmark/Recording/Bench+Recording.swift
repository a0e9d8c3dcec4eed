import Foundation

extension Bench {
  /// The program that only records and reads, built beside this one.
  static var recording: String {
    let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    return own.deletingLastPathComponent().appending(path: "cockpit-recording").path
  }

  /// What the recorder costs, and how fast its files are read.
  func measureRecording() throws {
    report.begin("Recording on the disk")
    let corpus = try CorpusFiles.write(
      actions: effort.actions, directory: folder, name: "recorded")
    defer { for path in [corpus.stream, corpus.lines] { unlink(path) } }
    // Bursts of 250 rows are the windows of 250 ms at 1,000 rows a second.
    var bursts: [[String: Double]] = []
    for _ in 0..<effort.pairs { bursts.append(try record(corpus.lines, batch: 250)) }
    let single = try (0..<3).map { _ in
      try record(corpus.lines, batch: 1, rows: effort.actions / 20)
    }
    report.measured(.recorderBurst, spread(bursts, "cpu_us_per_row"))
    report.measured(.recorderSingle, spread(single, "cpu_us_per_row"))
    report.measured(.recorderDisk, spread(bursts, "disk_per_raw"))
    report.measured(.recorderWritten, spread(bursts, "written_per_raw"))
    report.add(
      "bytes written per raw byte at one row a transaction",
      figure: spread(single, "written_per_raw").text("x", digits: 1))
    report.add(
      "largest resident size of a recorder with \(effort.actions) rows in memory beside it",
      figure: Spread(bursts.map { ($0["peak_bytes"] ?? .nan) / 1e6 }).text("MB", digits: 1))
    if valgrind != nil {
      report.measured(.recorderInstructions, try recordingInstructions(5_000, 10_000))
    } else {
      report.missing(.recorderInstructions, "valgrind is not installed")
    }
    try measureReading(corpus)
  }

  private func spread(_ runs: [[String: Double]], _ name: String) -> Spread {
    Spread(runs.map { $0[name] ?? .nan })
  }

  /// Records a corpus into a folder of its own, which is removed.
  func record(
    _ lines: String, batch: Int, rows: Int = .max, keepingIn kept: String? = nil
  ) throws -> [String: Double] {
    let place = kept ?? "\(folder)/recording"
    defer { if kept == nil { try? FileManager.default.removeItem(atPath: place) } }
    return Self.figures(
      try checked(
        Child.run(
          Self.recording,
          ["write", lines, place, "--rows", String(rows), "--batch", String(batch)],
          keepsOutput: true)
      ).output)
  }

  private static func figures(_ text: String) -> [String: Double] {
    var figures: [String: Double] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "=")
      if parts.count == 2 { figures[String(parts[0])] = Double(parts[1]) }
    }
    return figures
  }

  /// Instructions per recorded row, by the difference of two sizes: all threads, reading the corpus left out.
  func recordingInstructions(_ few: Int, _ many: Int) throws -> Double {
    guard let valgrind else { throw BenchmarkError("valgrind is not installed") }
    let corpus = try CorpusFiles.write(actions: many, directory: folder, name: "counted")
    let stripped = "\(folder)/stripped-recording"
    try Child.strip(Self.recording, to: stripped)
    defer { for path in [corpus.stream, corpus.lines, stripped] { unlink(path) } }
    let hashing = ProcessInfo.processInfo.environment.merging(["SWIFT_DETERMINISTIC_HASHING": "1"])
    {
      $1
    }
    let counts = try [few, many].map { rows in
      let place = "\(folder)/counted-recording"
      defer { try? FileManager.default.removeItem(atPath: place) }
      let child = try Child.run(
        valgrind,
        [
          "--tool=callgrind", "--callgrind-out-file=/dev/null", stripped, "write",
          corpus.lines, place, "--rows", String(rows), "--batch", "250",
        ], environment: hashing)
      return try Self.collectedInstructions(child.errors)
    }
    return Double(counts[1] - counts[0]) / Double(many - few)
  }

  /// A month of the corpus, each day with its own times.
  private func measureReading(_ corpus: CorpusFiles) throws {
    let place = "\(folder)/month"
    defer { try? FileManager.default.removeItem(atPath: place) }
    let written = Self.figures(
      try checked(
        Child.run(
          Self.recording, ["days", corpus.lines, place, "--days", "30"], keepsOutput: true)
      ).output)
    let text = try checked(
      Child.run(Self.recording, ["read", place, "--word", "zulu"], keepsOutput: true)
    ).output
    let figures = Self.figures(text)
    let gigabytes = { (name: String) in number((written[name] ?? .nan) / 1e9, 2) + " GB" }
    report.add(
      "read",
      figure: "30 days, \(number(written["rows"] ?? .nan, 0)) rows of \(gigabytes("raw_bytes")) in "
        + gigabytes("disk_bytes"))
    report.measured(.historyOpen, figures["open_ms_max"] ?? .nan)
    report.measured(.historySeek, figures["seek_ms_p95"] ?? .nan)
    report.add(
      "the same, median", figure: "\(number(figures["seek_ms_median"] ?? .nan, 1)) ms, 2,000 rows")
    report.measured(.historyWord, figures["word_first_ms"] ?? .nan)
  }
}
