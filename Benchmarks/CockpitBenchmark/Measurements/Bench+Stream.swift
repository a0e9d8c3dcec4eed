import Foundation

extension Bench {
  /// T18: the cockpit's HTTP layer against bare libcurl on the same server, in turns.
  func measureStream() throws {
    let events = effort.actions
    report.begin("Reading a stream of \(events) events, a chunk each")
    guard let bare = yardstick("curl-stream") else {
      return report.add(
        "against bare libcurl", figure: "not measured: no C compiler or no libcurl4-openssl-dev")
    }
    let backend = try BackendProcess(itself)
    let programs = [
      (itself, ["stream", backend.url, String(events)]),
      (bare, ["\(backend.url)/chunks/\(events)"]),
    ]
    var perEvent: [[Double]] = [[], []]
    for round in 0..<effort.pairs {
      for step in 0..<2 {
        let index = (round + step) % 2
        perEvent[index].append(try streamed(programs[index], events: events))
      }
    }
    for (name, values) in zip(["cockpit's HTTP layer", "bare libcurl"], perEvent) {
      report.add("\(name): CPU per event", figure: Spread(values).text("us"))
    }
    report.compared(
      "CPU per event against bare libcurl, a chunk per event",
      Spread(zip(perEvent[0], perEvent[1]).map { $0 / $1 }))
  }

  /// Microseconds of CPU per event, the start of the process left out.
  private func streamed(_ program: (String, [String]), events: Int) throws -> Double {
    let child = try checked(Child.run(program.0, program.1, keepsOutput: true))
    let fields = child.output.split(whereSeparator: \.isWhitespace).reduce(into: [:]) {
      (fields: inout [String: Int], word: Substring) in
      let parts = word.split(separator: "=")
      if parts.count == 2 { fields[String(parts[0])] = Int(parts[1]) }
    }
    // Two lines and a blank one for each event.
    guard let cpu = fields["cpu_us"], fields["lines"] == events * 3 else {
      throw BenchmarkError("the stream was not read to its end: \(child.output)\(child.errors)")
    }
    return Double(cpu) / Double(events)
  }
}
