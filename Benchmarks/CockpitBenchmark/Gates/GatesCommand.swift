import ArgumentParser
import Foundation

/// Compares the counts that do not depend on the machine's mood with the recorded ones.
struct GatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gates", abstract: "Compare counts with the recorded baseline.")

  @Option(help: "The cockpit; what it writes and how often it wakes is the same in a debug build.")
  var cockpit: String

  @Option(help: ArgumentHelp("The recorded values.", valueName: "FILE"))
  var baseline: String

  @Flag(help: "Write the values of this run there instead of comparing.")
  var record = false

  func run() throws { try ScratchFolder.use("gates", run) }

  private func run(in folder: String) throws {
    let bench = try Bench(cockpit: cockpit, backend: cockpit, folder: folder, effort: .quick)
    if record { return try write(try bench.gateValues()) }

    let known = try Baseline.read(baseline)
    var now = try bench.gateValues(
      leavingOut: known.architecture == Baseline.architectureHere
        ? []
        : [Gate.instructions.number, Gate.framing.number, Gate.recorded.number])
    let isBad = { (gate: Gate) in
      guard let value = now[gate.number], let entry = known.gates[gate.number] else { return false }
      return value > entry.allowed
    }
    let again = Gate.all.filter { isBad($0) && $0.isMoody }
    if !again.isEmpty {
      say("above its baseline, measured once more: \(again.map(\.number).joined(separator: " "))")
      let wanted = Set(again.map(\.number))
      let leftOut = Gate.all.map(\.number).filter { !wanted.contains($0) }
      now.merge(try bench.gateValues(leavingOut: Set(leftOut))) { min($0, $1) }
    }
    for gate in Gate.all { say(line(gate, now[gate.number], known.gates[gate.number])) }
    guard !Gate.all.contains(where: isBad) else { throw ExitCode(1) }
  }

  private func line(_ gate: Gate, _ now: Double?, _ entry: Baseline.Entry?) -> String {
    let name = "\(gate.number) \(gate.quantity)"
    guard let now else { return "\(name): skipped" }
    let value = number(now, gate.digits)
    guard let entry else {
      return "\(name): \(value), not in the baseline; add it with scripts/gates --record"
    }
    let text =
      "\(name): baseline \(number(entry.value, gate.digits)), now \(value), allowed "
      + number(entry.allowed, gate.digits)
    return now > entry.allowed
      ? "FAILED \(text). If this is meant, record it with scripts/gates --record and say why in the commit."
      : text + ": ok"
  }

  private func write(_ values: [String: Double]) throws {
    // A gate that cannot be measured here keeps its recorded value.
    var entries = (try? Baseline.read(baseline))?.gates ?? [:]
    for gate in Gate.all {
      guard let value = values[gate.number] else {
        say("\(gate.number) \(gate.quantity): not measured, left as it was")
        continue
      }
      let scale = (0..<gate.digits).reduce(1.0) { scale, _ in scale * 10 }
      let rounded = { (value: Double) in (value * scale).rounded() / scale }
      entries[gate.number] = Baseline.Entry(
        quantity: gate.quantity, value: rounded(value),
        allowed: rounded(gate.allowed(above: value)),
        why: gate.why)
      say("\(gate.number) \(gate.quantity): \(number(value, gate.digits)), recorded")
    }
    try Baseline(
      about: Baseline.about, architecture: Baseline.architectureHere, gates: entries
    ).write(baseline)
  }

  private func say(_ text: String) {
    FileHandle.standardError.write(Data("gates: \(text)\n".utf8))
  }
}
