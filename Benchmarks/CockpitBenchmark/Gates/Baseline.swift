import Foundation

/// The recorded values (`Benchmarks/baseline.json`).
struct Baseline: Codable {
  /// One gate as it was recorded.
  struct Entry: Codable {
    let quantity: String
    let value: Double
    let allowed: Double
    let why: String
  }

  let about: String
  /// `uname -m` of the machine: instructions are compared on the same one only.
  let architecture: String
  var gates: [String: Entry]

  static let about =
    "Recorded by scripts/gates --record. A gate fails above 'allowed'. Record anew when a change is "
    + "meant, or when one made a figure better, and say why in the commit."

  static func read(_ path: String) throws -> Baseline {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchmarkError("cannot read \(path); record it with scripts/gates --record")
    }
    do {
      return try JSONDecoder().decode(Baseline.self, from: data)
    } catch {
      throw BenchmarkError(
        "\(path) is no baseline: \(error); record it with scripts/gates --record")
    }
  }

  func write(_ path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
  }

  /// `x86_64`, `aarch64`.
  static var architectureHere: String {
    var name = utsname()
    uname(&name)
    return withUnsafeBytes(of: &name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
