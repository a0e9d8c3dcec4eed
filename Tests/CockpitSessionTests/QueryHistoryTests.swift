import Networking
import CockpitFiles
import Foundation
import Testing

@testable import CockpitSession

@Suite struct QueryHistoryTests {
  @Test("filters are kept for their owner alone, no more than so many, and never with a secret")
  func keeping() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "clanky-filters-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let paths = Paths(
      environment: ["XDG_STATE_HOME": folder.appending(path: "state").path()], executable: nil)
    let history = try #require(QueryHistory(paths))
    #expect(try history.load() == [])
    let token = try TokenText("hunter-two")
    let secret = ["text:Hunter-Two", "text:sk-abcdefghij1234", "meta.a:0123456789abcdef0123"]
    try history.save(secret + (1...80).map { "user:\($0)" } + ["two\nlines"], token: token)
    let kept = try history.load()
    #expect(kept.count == QueryHistory.limit && kept.first == "user:1")
    let file = folder.appending(path: "state/clanky-cockpit/filters").path()
    let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("what looks like a key is found, and ids and kinds do not look like one")
  func secrets() {
    for text in ["Bearer eyJhbGciOiJIUzI1NiJ9", "ghp_abcdefghijklmnop", "x:a1b2c3d4e5f6a7b8c9d0e1"]
    {
      #expect(QueryHistory.looksSecret(text), "\(text)")
    }
    for text in [
      "user:700000000000000001", "kind:voice_runtime event:openai_realtime_asr_partial_segment",
      "since:2026-05-09T14:30 | p95 ms by model", "model:claude-opus-4-6",
    ] {
      #expect(!QueryHistory.looksSecret(text), "\(text)")
    }
  }
}
