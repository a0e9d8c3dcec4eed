import Foundation
import ParserProperties
import Testing

/// The corpora of `scripts/fuzz`, replayed: what was found once does not come back.
@Suite("corpora of the fuzzer") struct CorpusTests {
  private static let corpora = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Corpus")

  @Test(
    "every property holds for every input of its corpus (promises P1, P1b, P3)",
    arguments: Property.all.map(\.name))
  func replay(name: String) throws {
    let property = try #require(Property.named(name))
    let folder = Self.corpora.appending(path: name)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
    #expect(!files.isEmpty)
    for file in files {
      let input = [UInt8](try Data(contentsOf: folder.appending(path: file)))
      expectHolds(property, input, "\(name)/\(file)")
    }
  }

  /// Bytes of the corpora, flipped, cut, doubled and spliced, without a fuzzer: seeded, and printed when
  /// one fails.
  @Test(
    "every property holds for mutations of its corpus (promises P1, P1b, P3)",
    arguments: Property.all.map(\.name))
  func mutations(name: String) throws {
    let property = try #require(Property.named(name))
    let folder = Self.corpora.appending(path: name)
    let inputs = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted().map {
      [UInt8](try Data(contentsOf: folder.appending(path: $0)))
    }.filter { $0.count <= 1024 }
    var random = InputRandom(seed: 20_261_122)
    for round in 0..<300 {
      var input = try #require(inputs.randomElement(using: &random))
      for _ in 0..<Int.random(in: 1...4, using: &random) where !input.isEmpty {
        let place = Int.random(in: 0..<input.count, using: &random)
        let end = Int.random(in: place...min(place + 12, input.count), using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: input[place] = .random(in: .min ... .max, using: &random)
        case 2: input.removeSubrange(place..<end)
        case 3: input.insert(contentsOf: input[place..<end], at: place)
        case 4: input.removeSubrange(place...)
        default:
          let other = try #require(inputs.randomElement(using: &random))
          input.replaceSubrange(place..., with: other.suffix(from: min(place, other.count)))
        }
      }
      expectHolds(property, input, "round \(round)")
    }
  }

  private func expectHolds(_ property: Property, _ input: [UInt8], _ what: String) {
    do {
      try property.check(input)
    } catch {
      Issue.record("\(what): \(error)\ninput: \(input)")
    }
  }
}
