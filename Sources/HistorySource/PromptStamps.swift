internal import Foundation

/// The times at which the prompts of a voice state were made: `promptState.*.updatedAt` and
/// `modelContext.generation.capturedAt` (docs/contract.md). Two states with equal stamps have the same prompts, and
/// finding that out takes a hundredth of reading one. Facts have an `updatedAt` too; when one changes, a state is read
/// in vain.
struct PromptStamps: Hashable {
  private var times: [Data] = []

  private static let keys = ["\"updatedAt\":\"", "\"capturedAt\":\""].map { Data($0.utf8) }

  init(_ voiceState: [UInt8]) {
    let json = Data(voiceState)
    for key in Self.keys {
      var rest = json.startIndex..<json.endIndex
      while let found = json.range(of: key, in: rest) {
        times.append(json[found.upperBound...].prefix { $0 != UInt8(ascii: "\"") })
        rest = found.upperBound..<json.endIndex
      }
    }
  }
}
