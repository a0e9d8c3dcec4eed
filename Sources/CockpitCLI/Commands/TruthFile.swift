import CockpitFiles
import Foundation

/// The file of `demo --truth`: complete from the start, and rewritten after each event.
@MainActor
final class TruthFile {
  private let path: String
  private let revision: @Sendable () async -> Int
  private let text: @Sendable () async -> [UInt8]
  private var written = -1

  init(
    path: String, revision: @escaping @Sendable () async -> Int,
    text: @escaping @Sendable () async -> [UInt8]
  ) {
    self.path = path
    self.revision = revision
    self.text = text
  }

  /// Writes it if anything has happened since.
  func write() async throws(FileError) {
    let now = await revision()
    guard now != written else { return }
    written = now
    try OutputFile.replace(path, with: await text(), instead: "name a file")
  }

  /// Writes it until cancelled; gives the first problem.
  func follow() async -> FileError? {
    while !Task.isCancelled {
      do throws(FileError) {
        try await write()
      } catch {
        return error
      }
      // A cancelled sleep only means that the demo ends.
      try? await Task.sleep(for: .milliseconds(500))
    }
    return nil
  }
}
