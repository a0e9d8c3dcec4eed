import CockpitDemo
import CockpitDomain
import CockpitFiles
import CockpitHistory
import Foundation

/// The demo, recorded without a network and without waiting.
package enum DemoHistory {
  /// Writes a history of the demo.
  ///
  /// - Parameters:
  ///   - startMs: ms since 1970 at which the story begins.
  ///   - ms: how much of it is recorded.
  ///   - folder: must hold no history yet.
  /// - Returns: the times of its rows that are of the story, not of the past that it invents; nil if it has none.
  package static func write(
    _ options: DemoOptions, startMs: Int64, forMs ms: Int64, into folder: String, version: String
  ) async throws(HistoryError) -> ClosedRange<Int64> {
    let endMs = startMs + ms
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, bufferBytes: 1 << 30, windowMs: 1, syncMs: nil, what: "demo",
        version: version, bot: "demo")
    ) { endMs }
    var number = 0
    var firstMs = Int64.max
    await DemoRecording.run(options, startMs: startMs, forMs: ms) { atMs, record in
      switch record {
      case .row(let json):
        number += 1
        firstMs = min(firstMs, atMs)
        json.withUnsafeBytes {
          recorder.row(
            number: number, receivedMs: atMs, channels: [.activity, .stored], json: $0)
        }
      case .document(let name, let body):
        body.withUnsafeBytes {
          recorder.document(name: name, atMs: atMs, receivedMs: atMs, body: $0)
        }
      }
    }
    let live = Array(#"{"state":"live","channels":{"activity":"live","voice":"live"}}"#.utf8)
    recorder.link(.state, atMs: min(firstMs, startMs), receivedMs: startMs, value: live)
    let claim = Array("{\"from_ms\":\(max(0, min(firstMs, startMs)))}".utf8)
    recorder.link(.proven, atMs: endMs, receivedMs: endMs, value: claim)
    let isWritten = await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: recorder.stop(waiting: 120)) }
    }
    guard isWritten, number > 0 else {
      throw HistoryError(.disk, recorder.state.lastError ?? "the story could not be written")
    }
    return min(firstMs, startMs)...endMs
  }
}
