import Foundation

extension Bench {
  /// Growth of the process per raw byte when everything is kept.
  func retention(_ corpus: CorpusFiles) throws -> Double {
    let child = try checked(
      Child.run(
        Self.ingester, [corpus.stream, "--marks", "--memory", "2147483648"], keepsOutput: true))
    let marks = Self.marks(child.output)
    // From one full hundred thousand to the end where there are more: code and buffers that the
    // first actions touch are there once, and are no growth.
    guard let last = marks.last,
      let first = marks.first(where: { $0.actions >= 100_000 && $0.actions < last.actions })
        ?? marks.first(where: { $0.actions > 0 }), last.bytes > first.bytes
    else {
      throw BenchmarkError("the ingest did not say how large it was")
    }
    return Double(last.resident - first.resident) / Double(last.bytes - first.bytes)
  }

  /// The ring at its default size under very many actions.
  func measureSoak() throws {
    report.begin("Memory under a flood (default ring of 64 MiB)")
    let sizes = try soak(effort.soakActions)
    report.add("resident after \(sizes.first.actions) actions", figure: sizes.first.text)
    report.add("resident after \(sizes.last.actions) actions", figure: sizes.last.text)
    let note = sizes.last.actions < 1_000_000 ? "up to \(sizes.last.actions) only" : ""
    report.add(
      "resident after the last action, minus the ring",
      figure: "\(number(sizes.aboveRing / 1e6, 1)) MB\(note.isEmpty ? "" : "; " + note)")
    report.measured(.flat, sizes.spread / 1e6, note: note)
  }

  /// The size of a process after so many actions.
  struct Mark {
    let actions: Int
    /// Bytes of JSON ingested so far.
    let bytes: Int
    /// Bytes.
    let resident: Int

    var text: String { "\(number(Double(resident) / 1e6, 1)) MB" }
  }

  /// The effect of a flood on the size of the process.
  struct Soak {
    /// From 200,000 actions on: the ring is not full at 100,000, whatever the sizes are.
    let marks: [Mark]
    let first: Mark
    let last: Mark

    /// Bytes between the largest and the smallest.
    var spread: Double {
      let sizes = marks.map(\.resident)
      return Double((sizes.max() ?? 0) - (sizes.min() ?? 0))
    }
    /// Bytes at the end that are not the ring.
    var aboveRing: Double { Double(last.resident - (64 << 20)) }
  }

  func soak(_ actions: Int) throws -> Soak {
    let child = try checked(
      Child.run(itself, ["soak", "--actions", String(actions)], keepsOutput: true))
    let marks = Self.marks(child.output).filter { $0.actions >= 200_000 }
    guard let first = marks.first, let last = marks.last else {
      throw BenchmarkError("the soak did not say how large it was")
    }
    return Soak(marks: marks, first: first, last: last)
  }

  private static func marks(_ output: String) -> [Mark] {
    output.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ").compactMap { Int($0) }
      return fields.count == 3
        ? Mark(actions: fields[0], bytes: fields[1], resident: fields[2]) : nil
    }
  }
}
