import Foundation

extension Bench {
  /// The values of all gates by number, except those that are left out or cannot be measured here.
  func gateValues(leavingOut leftOut: Set<String> = []) throws -> [String: Double] {
    var values: [String: Double] = [:]
    let wants = { (gates: [Gate]) in gates.contains { !leftOut.contains($0.number) } }
    if valgrind != nil, wants([.instructions, .framing]) {
      let counts = try instructionsPerEvent(10_000, 20_000)
      values[Gate.instructions.number] = counts.all
      values[Gate.framing.number] = counts.framing
    }
    if wants([.retention]) {
      let corpus = try CorpusFiles.write(actions: 100_000, directory: folder, name: "kept")
      values[Gate.retention.number] = try retention(corpus)
      unlink(corpus.stream)
      unlink(corpus.lines)
    }
    if wants([.aboveRing, .flat]) {
      let soak = try soak(400_000)
      values[Gate.aboveRing.number] = soak.aboveRing / 1e6
      values[Gate.flat.number] = soak.spread / 1e6
    }
    if wants([.wakeUps, .rowBytes]) {
      let (quiet, rows) = try quietWindows()
      values[Gate.wakeUps.number] = quiet.wakeUpsPerSecond
      values[Gate.rowBytes.number] = rows.bytesPerSecond * 3
    }
    if wants([.frameBytes]) {
      values[Gate.frameBytes.number] = try frameBytes(
        eventsPerSecond: Self.newsPerFrame * 10, windows: 3
      ).bytes.median
    }
    if wants([.recordedDisk, .recordedWritten]) {
      let corpus = try CorpusFiles.write(actions: 20_000, directory: folder, name: "recorded")
      defer { for path in [corpus.stream, corpus.lines] { unlink(path) } }
      let figures = try record(corpus.lines, batch: 250)
      values[Gate.recordedDisk.number] = figures["disk_per_raw"]
      values[Gate.recordedWritten.number] = figures["written_per_raw"]
    }
    if valgrind != nil, wants([.recorded]) {
      values[Gate.recorded.number] = try recordingInstructions(2_000, 4_000)
    }
    return values
  }

  /// One cockpit beside a backend that says nothing, then beside one with a row now and then.
  private func quietWindows() throws -> (quiet: Window, rows: Window) {
    let backend = try BackendProcess(itself)
    let screen = try openCockpit(backend)
    guard Screen.serve([screen], seconds: 30, until: { Self.isCockpitComplete(screen) }) else {
      throw BenchmarkError("the cockpit shows no complete frame:\n\(screen.text)")
    }
    Screen.serve([screen], seconds: effort.settle)
    let quiet = Window.watch([screen], seconds: 20)[0]
    try backend.tell(perSecond: 1 / 1.5)
    Screen.serve([screen], seconds: 3)
    return (quiet, Window.watch([screen], seconds: 24)[0])
  }
}
