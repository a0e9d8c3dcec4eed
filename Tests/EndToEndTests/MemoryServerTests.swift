import Foundation
import Testing

extension EndToEnd {
  /// The backend that the tests of MEMORY run against is itself held to the recordings.
  @Suite("MEMORY: the backend of the tests") struct MemoryServerTests {
    @Test(
      "the recorded edits get the recorded answers",
      .enabled(if: Captures.areThere, "\(Captures.absence)"))
    func recordings() throws {
      var book = FactBook(.may, try recordedFacts())
      let index = try PlainAction.objects(
        String(decoding: try Captures.bytes("rest/index.json"), as: UTF8.self))
      var count = 0
      for row in index {
        guard let file = row["file"] as? String, file.hasPrefix("FACT_"),
          let method = row["method"] as? String, let target = row["path"] as? String
        else { continue }
        let body = try (row["requestBody"]).map { try JSONSerialization.data(withJSONObject: $0) }
        let request = FactRequest(
          StubRequest(
            method: method, target: target, headers: ["content-type": "application/json"],
            body: Array(body ?? Data())))
        let reply = FactRoutes.answer(request, &book)
        #expect(reply.status.hasPrefix("\(row["status"] as? Int ?? 0) "), "\(file)")
        let recorded = String(decoding: try Captures.bytes("rest/\(file)"), as: UTF8.self)
        let got = String(decoding: reply.body, as: UTF8.self)
        #expect(Self.timeless(got) == Self.timeless(recorded), "\(file)")
        count += 1
      }
      #expect(count == 14)
    }

    @Test(
      "the recorded lists come out byte for byte",
      .enabled(if: Captures.areThere, "\(Captures.absence)"),
      arguments: [
        ("/api/memory/facts?guildId=900000000000000101&q=lantern", "GET_api_memory_facts__q"),
        ("/api/memory/facts", "GET_api_memory_facts__no-guild"),
        (
          "/api/memory/facts?guildId=900000000000000101&subject=810000000000000001&limit=10",
          "GET_api_memory_facts__subject"
        ),
        ("/api/memory/search?guildId=900000000000000101", "GET_api_memory_search__no-query"),
        ("/api/memory/reflections?guildId=000", "GET_api_memory_reflections__empty"),
        ("/api/memory/fact-profile", "GET_api_memory_fact-profile__no-guild"),
      ])
    func lists(target: String, file: String) throws {
      var book = FactBook(.may, try recordedFacts())
      let request = FactRequest(
        StubRequest(method: "GET", target: target, headers: [:], body: []))
      let recorded = String(decoding: try Captures.bytes("rest/\(file).json"), as: UTF8.self)
      #expect(String(decoding: FactRoutes.answer(request, &book).body, as: UTF8.self) == recorded)
    }

    @Test("over-long text is cut without a word, and a deleted fact still collides")
    func trimming() throws {
      var book = FactBook.workshop
      let put = { (book: inout FactBook, fact: String) in
        book.replace(
          "41",
          [
            "guildId": FactServer.guild, "subject": FactBook.mira, "fact": fact,
            "factType": "LORE", "confidence": 0.5,
          ], ownerOnly: false)
      }
      #expect(put(&book, "a  b\n" + String(repeating: "x", count: 500)).status == 200)
      #expect(book[41]?.fact.utf16.count == 400)
      #expect(book[41]?.fact.hasPrefix("a b x") == true)
      #expect(book[41]?.type == "other")
      #expect(book[41]?.evidence == nil)
      _ = book.delete("42", ["guildId": FactServer.guild], ownerOnly: false)
      let answer = put(&book, "Mira soldered the first lantern.")
      #expect(answer.status == 500)
      #expect(answer.body.contains("UNIQUE constraint failed"))
    }

    /// The rows that the recorded backend listed before it was edited.
    private func recordedFacts() throws -> [FactBook.Fact] {
      let text = String(
        decoding: try Captures.bytes("rest/GET_api_memory_facts__guildId.json"), as: UTF8.self)
      let rows = try #require(
        try PlainAction.objects(text).first?["facts"] as? [[String: Any]])
      return try rows.map { row in
        let subject = try #require(row["subject"] as? String)
        return FactBook.Fact(
          id: try #require(row["id"] as? Int), created: row["created_at"] as? String ?? "",
          updated: row["updated_at"] as? String ?? "", scope: row["scope"] as? String ?? "",
          guild: row["guild_id"] as? String, channel: row["channel_id"] as? String,
          user: row["user_id"] as? String, subject: subject, fact: row["fact"] as? String ?? "",
          type: row["fact_type"] as? String ?? "", evidence: row["evidence_text"] as? String,
          source: row["source_message_id"] as? String,
          confidence: row["confidence"] as? Double ?? 0)
      }
    }

    /// Without the time of a write, which is the time of the test.
    private static func timeless(_ text: String) -> String {
      text.replacing(/"updated_at":"[^"]*"/, with: #""updated_at":"""#)
    }
  }
}
