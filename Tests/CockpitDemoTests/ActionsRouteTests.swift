import Foundation
import Testing

@testable import CockpitDemo

/// `/api/actions` as upstream answers it, its limits included (settings, section 10), and the past of the
/// evening.
@Suite struct ActionsRouteTests {
  private static let evening = DemoOptions(
    scenario: .evening, token: "secret", faults: DemoFaults(httpControl: true))

  private func ids(_ client: TestClient, _ query: String) async throws -> [Int] {
    let list = try await client.get("/api/actions" + query).json.arrayValue ?? []
    return list.compactMap { row in row["id"]?.doubleValue.map { Int($0) } }
  }

  @Test("limits: 1,000 at most, odd numbers as JavaScript reads them")
  func limits() async throws {
    try await withServer(Self.evening) { _, client, _ in
      for (limit, count) in [
        ("5000", 1000), ("1000", 1000), ("0", 1), ("", 1), ("-4", 1), ("2.9", 2), ("3e0", 3),
        ("0x2", 2), ("many", 200), ("Infinity", 200),
      ] {
        let given = try await ids(client, "?limit=\(limit)")
        #expect(given.count == count, "limit=\(limit)")
      }
      let usual = try await ids(client, "")
      #expect(usual.count == 200)
    }
  }

  @Test("kinds: exact names, blanks and empty entries do not matter, a second list is not read")
  func kinds() async throws {
    try await withServer(Self.evening) { _, client, _ in
      func kinds(_ query: String) async throws -> Set<String> {
        let list = try await client.get("/api/actions?limit=1000&" + query).json.arrayValue ?? []
        return Set(list.compactMap { $0["kind"]?.stringValue })
      }
      let two = try await kinds("kinds=llm_call,,%20voice_error%20,llm_call")
      #expect(two == ["llm_call", "voice_error"])
      let shouted = try await kinds("kinds=LLM_CALL")
      #expect(shouted.isEmpty)
      let globs = try await kinds("kinds=llm_*")
      #expect(globs.isEmpty)
      let first = try await kinds("kinds=llm_error&kinds=llm_call")
      #expect(first == ["llm_error"])
      let any = try await kinds("kinds=,,")
      #expect(any.count > 1)
    }
  }

  @Test("the order: newest first, rows of one millisecond by their ids, kind by kind where asked")
  func order() async throws {
    try await withServer(Self.evening) { _, client, _ in
      for query in ["?limit=1000", "?limit=1000&kinds=voice_runtime,llm_call,sent_reply"] {
        let rows = try await client.get("/api/actions" + query).json.arrayValue ?? []
        let keys = rows.map { row in
          (
            row["created_at"]?.stringValue ?? "",
            query.contains("kinds") ? row["kind"]?.stringValue ?? "" : "",
            Int(row["id"]?.doubleValue ?? 0)
          )
        }
        for (newer, older) in zip(keys, keys.dropFirst()) {
          #expect(
            newer.0 > older.0 || newer.0 == older.0 && (newer.1, newer.2) < (older.1, older.2))
        }
      }
    }
  }

  @Test(
    "sinceHours: fractions and exponents count, what is no number is no limit, too much is a 500")
  func since() async throws {
    try await withServer(Self.evening) { _, client, _ in
      let all = try await ids(client, "?limit=1000").count
      for odd in ["0", "-1", "soon", "24h", "0,6", "Infinity", "1e6", ""] {
        let given = try await ids(client, "?limit=1000&sinceHours=\(odd)")
        #expect(given.count == all, "\(odd)")
      }
      let none = try await ids(client, "?limit=1000&sinceHours=0.0001&kinds=llm_call")
      #expect(none.isEmpty)
      let hour = try await ids(client, "?limit=1000&sinceHours=1&kinds=llm_error")
      let same = try await ids(client, "?limit=1000&sinceHours=1e0&kinds=llm_error")
      #expect(same == hour)
      let refused = try await client.get("/api/actions?sinceHours=2.5e9")
      #expect(refused.status == 500)
      #expect(String(decoding: refused.body, as: UTF8.self) == #"{"error":"Invalid Date"}"#)
    }
  }

  @Test("a guild hides rows that belong to none")
  func guilds() async throws {
    try await withServer(Self.evening) { _, client, _ in
      let some = try await ids(client, "?limit=1000&kinds=bot_error")
      #expect(!some.isEmpty)
      let placed = try await ids(client, "?kinds=bot_error&guildId=\(Cast.ridge.id)")
      #expect(placed.isEmpty)
    }
  }

  @Test("the evening: more rows than an answer holds, the same for the same seed, and its own log")
  func evening() async throws {
    func log(_ query: String = "") async throws -> [DemoJSON] {
      var rows: [DemoJSON] = []
      try await withServer(Self.evening) { _, client, _ in
        rows = try await client.get("/__demo/rows" + query).json.arrayValue ?? []
      }
      return rows
    }
    let rows = try await log()
    #expect(rows.count > 5000, "\(rows.count)")
    let ids = rows.compactMap { $0["id"]?.doubleValue }
    #expect(ids == ids.sorted())
    let times = rows.compactMap { $0["created_at"]?.stringValue }
    #expect(times == times.sorted())
    let again = try await log()
    // The row about the start contains its port.
    func past(_ rows: [DemoJSON]) -> [DemoJSON] {
      rows.filter { $0["kind"] != "bot_runtime" }
    }
    let isSame = past(again) == past(rows)
    #expect(isSame)
    let kinds = Set(rows.compactMap { $0["kind"]?.stringValue })
    #expect(kinds.isSuperset(of: ["llm_call", "voice_runtime", "voice_session_end", "bot_error"]))
    let errors = try await log("?kinds=bot_error")
    #expect(errors.count == rows.filter { $0["kind"] == "bot_error" }.count)
    // Off by default.
    try await withServer(DemoOptions(scenario: .evening, token: "secret")) { _, client, _ in
      let page = try await client.get("/__demo/rows")
      #expect(page.header("Content-Type")?.contains("html") == true)
    }
  }
}
