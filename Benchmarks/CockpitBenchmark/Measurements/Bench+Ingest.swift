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
    let turns = try inTurns(corpus)
    let walls = Spread(turns[0].runs.map { Double(corpus.actions) / $0.wall })
    report.add("actions per second, one thread", figure: walls.text(digits: 0))
    for turn in turns {
      report.add("CPU of \(turn.name)", figure: Spread(turn.runs.map(\.cpu)).text("s", digits: 3))
    }
    for competitor in turns.dropFirst() {
      let ratios = zip(turns[0].runs, competitor.runs).map { own, other in other.cpu / own.cpu }
      guard let target = competitor.target else {
        report.compared("CPU of \(competitor.name) against ours", Spread(ratios), digits: 1)
        continue
      }
      report.measured(target, Spread(ratios.map { $0 * (target.unit == "%" ? 100 : 1) }))
    }
    let retained = try (0..<3).map { _ in try retention(corpus) }
    let mean = Double(corpus.rawBytes) / Double(corpus.actions)
    report.add(
      "memory per 100,000 kept actions",
      figure:
        "\(number(mean * Spread(retained).median / 10, 1)) MB of \(number(mean / 10, 1)) MB raw")
    report.measured(.retention, Spread(retained))
    unlink(corpus.stream)
    unlink(corpus.lines)
  }

  /// A program that takes in the same actions.
  private struct Turn {
    let name: String
    /// The budget of the comparison, if it has one.
    let target: Target?
    let program: String
    let arguments: [String]
    var runs: [Child] = []
  }

  /// The cockpit's way first, then those that are installed; each once a round, and each round in
  /// another order.
  private func inTurns(_ corpus: CorpusFiles) throws -> [Turn] {
    var turns = [
      Turn(
        name: "ours: framing, validation, ring", target: .jq, program: Self.ingester,
        arguments: [corpus.stream])
    ]
    if let jq {
      let version = try Child.run(jq, ["--version"], keepsOutput: true).output
      turns.append(
        Turn(
          name: "`jq -c .kind` (\(version.filter { !$0.isWhitespace }))", target: .jq, program: jq,
          arguments: ["-c", ".kind", corpus.lines]))
    } else {
      report.missing(.jq, "jq is not installed")
    }
    if let simdjson = yardstick("simdjson-dom") {
      turns.append(
        Turn(
          name: "simdjson, DOM, thrown away", target: .simdjson, program: simdjson,
          arguments: [corpus.stream]))
    } else {
      report.missing(.simdjson, "no g++ or no libsimdjson-dev")
    }
    if let lnav, try lnavParses(corpus) {
      turns.append(
        Turn(
          name: "`lnav -n -q`", target: nil, program: lnav,
          arguments: try lnavArguments + ["-n", "-q", corpus.lines]))
    } else {
      report.add("`lnav -n -q`", figure: lnav == nil ? "not installed" : "took not all in")
    }
    for round in 0..<effort.pairs {
      for step in turns.indices {
        let index = (step + round) % turns.count
        let turn = turns[index]
        turns[index].runs.append(
          try checked(Child.run(turn.program, turn.arguments, environment: quietEnvironment)))
      }
    }
    return turns
  }

  /// An empty home, so that no configuration is read.
  private var quietEnvironment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["HOME": folder, "TERM": "dumb"]) { $1 }
  }

  /// A folder of ours with a format for actions, which lnav does not know by itself.
  var lnavArguments: [String] {
    get throws {
      let place = "\(folder)/lnav/formats/clanky"
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Self.lnavFormat.write(
        toFile: "\(place)/actions.json", atomically: true, encoding: .utf8)
      return ["-I", "\(folder)/lnav"]
    }
  }

  private static let lnavFormat = """
    {"$schema": "https://lnav.org/schemas/format-v1.schema.json",
     "clanky_actions": {
      "title": "Actions", "description": "Actions of a Clanky bot.", "json": true,
      "hide-extra": true, "timestamp-field": "createdAt", "body-field": "content",
      "line-format": [{"field": "__timestamp__"}, " ", {"field": "kind"}, " ", {"field": "content"}],
      "value": {"kind": {"kind": "string", "identifier": true}, "content": {"kind": "string"}}}}
    """

  /// Whether lnav finds every action: a format that does not match costs it nothing.
  private func lnavParses(_ corpus: CorpusFiles) throws -> Bool {
    guard let lnav else { return false }
    let run = try Child.run(
      lnav,
      try lnavArguments + [
        "-n", "-q", "-c", ";SELECT count(*) FROM clanky_actions", "-c",
        ":write-csv-to /dev/stdout", corpus.lines,
      ], keepsOutput: true, environment: quietEnvironment)
    return run.output.split(separator: "\n").contains { Int($0) == corpus.actions }
  }

  func checked(_ child: Child) throws -> Child {
    guard child.exitCode == 0 else { throw BenchmarkError("a program failed: \(child.errors)") }
    return child
  }
}
