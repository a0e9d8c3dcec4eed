package import CompanionWire

/// Runs the user's commands for granted capabilities. Nothing of this program touches a device itself.
@MainActor
package protocol CapabilityRunner: AnyObject {
  /// Starts a command. `done` is called once on the main actor, unless the run is cancelled.
  func run(
    _ command: String, for request: CapabilityRequest,
    done: @escaping @MainActor (Result<CapabilityOutput, CapabilityFailure>) -> Void
  ) -> any CapabilityRun
}

/// A command that runs.
@MainActor
package protocol CapabilityRun: AnyObject {
  /// Kills it.
  func cancel()
}

/// What a command printed.
package enum CapabilityOutput: Sendable, Equatable {
  case nothing
  case text(String)
  /// A PNG or JPEG, by its first bytes.
  case image([UInt8], mimeType: String)

  /// Bytes of an output that are sent.
  package static let maximum = 2 << 20

  /// - Parameter bytes: at most `maximum`.
  package init(_ bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      self = .image(bytes, mimeType: "image/png")
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .image(bytes, mimeType: "image/jpeg")
    } else {
      var text = String(decoding: bytes, as: UTF8.self)
      while text.last?.isWhitespace == true { text.removeLast() }
      self = text.isEmpty ? .nothing : .text(text)
    }
  }
}

/// Why a command gave nothing, as one sentence.
package struct CapabilityFailure: Error, Sendable, Equatable {
  package var sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
