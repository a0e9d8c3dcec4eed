import Foundation

extension Bench {
  /// CPU of whole processes on the same actions, in turns.
  func measureIngest() throws {
    report.begin("Taking in actions")
    let corpus = try CorpusFiles.write(
      actions: effort.actions, directory: folder, name: "corpus")
    report.add(
      "corpus",
      figure: "\(corpus.actions) actions, \(number(Double(corpus.rawBytes) / 1e6, 1)) MB, mean "
        + "\(corpus.rawBytes / corpus.actions) B")
    // Both files are in the page cache before anything is timed.
    _ = try Child.run(Self.ingester, [corpus.stream])
    var (ours, theirs, ratios, walls) = ([Double](), [Double](), [Double](), [Double]())
    for pair in 0..<effort.pairs {
      let ingest = { try self.checked(Child.run(Self.ingester, [corpus.stream])) }
      let query = { try self.jq.map { try Child.run($0, ["-c", ".kind", corpus.lines]) } }
      let (own, other): (Child, Child?)
      if pair % 2 == 0 {
        own = try ingest()
        other = try query()
      } else {
        other = try query()
        own = try ingest()
      }
      ours.append(own.cpu)
      walls.append(Double(corpus.actions) / own.wall)
      if let other {
        theirs.append(other.cpu)
        ratios.append(other.cpu / own.cpu)
      }
    }
    report.add(
      "CPU, framing + validation + ring, whole process", figure: Spread(ours).text("s", digits: 3))
    report.add("actions per second, one thread", figure: Spread(walls).text(digits: 0))
    if ratios.isEmpty {
      report.add("CPU of `jq -c .kind`", figure: "jq is not installed")
    } else {
      let ratio = Spread(ratios)
      report.add("CPU of `jq -c .kind` (\(jqVersion))", figure: Spread(theirs).text("s", digits: 3))
      report.add(
        "times less CPU than jq", target: ">= 8", figure: ratio.text("x", digits: 1),
        isMet: ratio.median >= 8)
    }
    try measureRetention(corpus)
    unlink(corpus.stream)
    unlink(corpus.lines)
  }

  private var jqVersion: String {
    let run = try? jq.map { try Child.run($0, ["--version"], keepsOutput: true) }
    return (run.flatMap { $0 }?.output ?? "").trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func checked(_ child: Child) throws -> Child {
    guard child.exitCode == 0 else { throw BenchmarkError("ingest failed: \(child.errors)") }
    return child
  }

  /// Growth of the process when everything is kept.
  private func measureRetention(_ corpus: CorpusFiles) throws {
    var ratios: [Double] = []
    for _ in 0..<3 {
      let child = try checked(
        Child.run(
          Self.ingester, [corpus.stream, "--marks", "--memory", "2147483648"], keepsOutput: true))
      let marks = Self.marks(child.output)
      // From one full hundred thousand to the next where there are two: what is there once, such as
      // code and buffers that the first actions touch, is no growth.
      let full = marks.first { $0.actions >= 100_000 && $0.actions < effort.actions }
      guard let first = full ?? marks.first, let last = marks.last, last.bytes > first.bytes else {
        continue
      }
      ratios.append(Double(last.resident - first.resident) / Double(last.bytes - first.bytes))
    }
    guard !ratios.isEmpty else { return }
    let ratio = Spread(ratios)
    let mean = Double(corpus.rawBytes) / Double(corpus.actions)
    report.add(
      "memory per 100,000 kept actions",
      figure: "\(number(mean * ratio.median / 10, 1)) MB of \(number(mean / 10, 1)) MB raw")
    report.add(
      "memory per raw byte kept", target: "<= 1.05", figure: ratio.text("x", digits: 3),
      isMet: ratio.median <= 1.05)
  }

  /// The ring at its default size under very many actions.
  func measureSoak() throws {
    report.begin("Memory under a flood (default ring of 64 MiB)")
    let child = try checked(
      Child.run(itself, ["soak", "--actions", String(effort.soakActions)], keepsOutput: true))
    // What was there at 100,000 is not full yet, whatever the sizes are.
    let marks = Self.marks(child.output).filter { $0.actions >= 200_000 }
    guard let first = marks.first, let last = marks.last else { return }
    let sizes = marks.map { Double($0.resident) / 1e6 }
    let spread = (sizes.max() ?? 0) - (sizes.min() ?? 0)
    report.add("resident after \(first.actions) actions", figure: "\(number(sizes[0], 1)) MB")
    report.add(
      "resident after \(last.actions) actions", figure: "\(number(sizes[sizes.count - 1], 1)) MB")
    report.add(
      "between them, largest minus smallest", target: "<= 4 MB (flat +-2 MB)",
      figure: "\(number(spread, 2)) MB", isMet: spread <= 4)
    let above = Double(last.resident - (64 << 20)) / 1e6
    report.add(
      "above the ring at the end", target: "<= 24 MB", figure: "\(number(above, 1)) MB",
      isMet: above <= 24)
  }

  private static func marks(_ output: String) -> [(actions: Int, bytes: Int, resident: Int)] {
    output.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ").compactMap { Int($0) }
      return fields.count == 3 ? (fields[0], fields[1], fields[2]) : nil
    }
  }

  // MARK: Instructions

  /// Instructions per event: the difference of two sizes, so that the start of the process and the
  /// first touch of the ring do not count. The one figure that noise does not move.
  func measureInstructions() throws {
    guard let valgrind, let strip = Child.find("strip") else { return }
    report.begin("Instructions per event (callgrind, difference of 20,000 and 40,000 events)")
    let small = try CorpusFiles.write(actions: 20_000, directory: folder, name: "small")
    let large = try CorpusFiles.write(actions: 40_000, directory: folder, name: "large")
    // Without its debug information, which valgrind 3.19 cannot read and does not need.
    let stripped = "\(folder)/stripped"
    _ = try Child.run(strip, ["-o", stripped, Self.ingester])
    defer {
      for path in [small.stream, small.lines, large.stream, large.lines, stripped] { unlink(path) }
    }
    for (name, flags, target) in [
      ("framing, validation, ring, store", [], 14_000.0),
      ("framing alone", ["--frames-only"], 5_000),
    ] {
      let counts = try [small, large].map { corpus in
        let child = try checked(
          Child.run(
            valgrind,
            [
              "--tool=callgrind", "--callgrind-out-file=/dev/null", stripped, corpus.stream,
            ]
              + flags))
        return try Self.collected(child.errors)
      }
      let each = Double(counts[1] - counts[0]) / Double(large.actions - small.actions)
      report.add(
        name, target: "<= \(Int(target))", figure: number(each, 0), isMet: each <= target)
    }
  }

  private static func collected(_ text: String) throws -> Int {
    for line in text.split(separator: "\n") where line.contains("Collected :") {
      if let count = line.split(separator: " ").last.flatMap({ Int($0) }) { return count }
    }
    throw BenchmarkError("callgrind said nothing: \(text.suffix(300))")
  }
}
