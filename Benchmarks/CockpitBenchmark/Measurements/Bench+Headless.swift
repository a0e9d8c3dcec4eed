import Foundation

extension Bench {
  /// T19 to T21: commands run by pipes and status bars. CPU of whole processes, alternating.
  func measureHeadless() throws {
    report.begin("Headless")
    let backend = try BackendProcess(itself)
    try measureTail(backend)
    try measureOneLine(backend)
  }

  private func measureTail(_ backend: BackendProcess) throws {
    let actions = effort.actions * 3 / 10
    let url = "\(backend.url)/burst/\(actions)"
    let run = { (form: String) in
      try self.checked(
        Child.run(
          self.cockpit, ["tail", form, "--once", "--url", url],
          environment: self.headlessEnvironment))
    }
    let printed = try Child.run(
      cockpit, ["tail", "--json", "--once", "--url", url], keepsOutput: true,
      environment: headlessEnvironment
    ).output
    let rows = printed.split(separator: "\n").count { $0.hasPrefix("{\"type\":\"action\"") }
    guard rows == actions + BackendWorld.snapshotRows else {
      throw BenchmarkError("tail printed \(rows) of \(actions + BackendWorld.snapshotRows) actions")
    }
    let corpus = try CorpusFiles.write(
      actions: rows, mix: .recorded, directory: folder, name: "tail")
    report.add(
      "actions", figure: "\(rows), \(number(Double(corpus.rawBytes) / 1e6, 1)) MB")
    defer { for path in [corpus.stream, corpus.lines] { unlink(path) } }
    var (json, raw, other) = ([Double](), [Double](), [Double]())
    for pair in 0..<effort.pairs {
      if pair % 2 == 0 { json.append(try run("--json").cpu) }
      raw.append(try run("--raw").cpu)
      if let jq { other.append(try checked(Child.run(jq, ["-c", ".", corpus.lines])).cpu) }
      if pair % 2 == 1 { json.append(try run("--json").cpu) }
    }
    report.add("CPU of `tail --json`", figure: Spread(json).text("s", digits: 3))
    report.add("CPU of `tail --raw`", figure: Spread(raw).text("s", digits: 3))
    report.measured(.tailRaw, Spread(zip(raw, json).map { $0 / $1 }))
    guard jq != nil else { return report.missing(.tailJSON, "jq is not installed") }
    report.add("CPU of `jq -c .`", figure: Spread(other).text("s", digits: 3))
    report.measured(.tailJSON, Spread(zip(json, other).map { $1 / $0 }))
  }

  private func measureOneLine(_ backend: BackendProcess) throws {
    guard let curl = Child.find("curl") else {
      for target in [Target.status, .widget] { report.missing(target, "curl is not installed") }
      return
    }
    var (status, widget, other) = ([Double](), [Double](), [Double]())
    for _ in 0..<3 * effort.pairs {
      // The backend has no voice and no share: a status that is not "healthy" ends with another code.
      status.append(
        try Child.run(
          cockpit, ["status"] + backend.arguments, environment: headlessEnvironment
        ).cpu * 1000)
      widget.append(
        try Child.run(
          cockpit, ["widget"] + backend.arguments, environment: headlessEnvironment
        ).cpu * 1000)
      other.append(try checked(Child.run(curl, ["-s", "\(backend.url)/api/stats"])).cpu * 1000)
    }
    report.add("CPU of `status`", figure: Spread(status).text("ms", digits: 1))
    report.add("CPU of `widget`", figure: Spread(widget).text("ms", digits: 1))
    report.add("CPU of `curl -s /api/stats`", figure: Spread(other).text("ms", digits: 1))
    report.measured(.status, Spread(zip(status, other).map { $0 / $1 }))
    report.measured(.widget, Spread(zip(widget, other).map { $0 / $1 }))
  }

  /// An empty home, so that no configuration is read.
  private var headlessEnvironment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["HOME": folder, "TERM": "dumb"]) { $1 }
  }
}
