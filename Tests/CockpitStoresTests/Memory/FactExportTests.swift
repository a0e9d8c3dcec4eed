import ClankyWire
import CockpitStores
import LenientJSON
import Testing

@Suite struct FactExportTests {
  /// What strangers may have written, and what the cleaner of the program makes of it is stood in
  /// for by one that is easy to see.
  private static let hostile = "=1+1, \"q\"\u{1B}[31m\n<b>*x*</b>"

  private func record(
    id: Int? = 7, subject: String? = "812345678901234567", fact: String? = "likes tea",
    evidence: String? = nil, confidence: Double? = 0.825, name: String? = nil
  ) -> FactRecord {
    FactRecord(
      fact: ClankyWire.Fact(
        id: id, updatedAt: WireTime(milliseconds: 1_700_000_000_000), guildID: "1",
        subject: subject, fact: fact, factType: .preference, evidenceText: evidence,
        confidence: confidence), subjectName: name, guildName: "Guild")
  }

  private func text(
    _ format: FactExport.Format, _ records: [FactRecord], spreadsheet: Bool = false
  ) -> String {
    let export = FactExport(format, isForSpreadsheet: spreadsheet) { text in
      String(text.unicodeScalars.map { $0.value < 0x20 ? "·" : Character($0) })
    }
    return String(decoding: export.bytes(records), as: UTF8.self)
  }

  // MARK: JSON lines

  @Test("a JSON line is ASCII, has every key and gives the exact text back")
  func jsonLine() throws {
    let bytes = record(fact: Self.hostile + "\u{202E}é", name: "Ann").json
    #expect(bytes.allSatisfy { (0x20..<0x7F).contains($0) })
    let json = try JSONValue.parse(bytes)
    #expect(json["fact"]?.string == Self.hostile + "\u{202E}é")
    #expect(json["subject_name"]?.string == "Ann")
    #expect(json["confidence"]?.double == 0.825)
    let keys = json.object?.members.map(\.key)
    #expect(
      keys == [
        "id", "created_at", "updated_at", "scope", "guild_id", "guild_name", "channel_id",
        "user_id", "subject", "subject_name", "fact", "fact_type", "evidence_text",
        "source_message_id", "confidence", "metadata",
      ])
    #expect(json["scope"] == .null)
  }

  @Test("the scores of a search come after the fact; a number JSON cannot spell is null")
  func scores() throws {
    var hit = record(confidence: .nan)
    hit.scores = .init(score: 0.5, semantic: 0, lexical: .infinity)
    let json = try JSONValue.parse(hit.json)
    #expect(json["score"]?.double == 0.5)
    #expect(json["semantic_score"]?.double == 0)
    #expect(json["lexical_score"] == .null)
    #expect(json["confidence"] == .null)
  }

  @Test("no facts give no line, a header line, a title")
  func empty() {
    #expect(text(.jsonl, []) == "")
    #expect(text(.csv, []).hasPrefix("id,created_at,"))
    #expect(text(.csv, []).hasSuffix("confidence\r\n"))
    #expect(text(.markdown, []) == "# Facts\n")
  }

  // MARK: CSV

  /// Reads CSV as RFC 4180 has it, sharing nothing with the writer.
  private func cells(_ csv: String) -> [[String]] {
    var rows: [[String]] = [[]]
    var cell = ""
    var isQuoted = false
    var scalars = Array(csv.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      if isQuoted {
        if scalar != "\"" {
          cell.unicodeScalars.append(scalar)
        } else if scalars.first == "\"" {
          cell.unicodeScalars.append("\"")
          scalars.removeFirst()
        } else {
          isQuoted = false
        }
      } else if scalar == "\"" {
        isQuoted = true
      } else if scalar == "," || scalar == "\r" {
        rows[rows.count - 1].append(cell)
        cell = ""
        if scalar == "\r" {
          #expect(scalars.popFirst() == "\n")
          rows.append([])
        }
      } else {
        cell.unicodeScalars.append(scalar)
      }
    }
    rows.removeLast()
    return rows
  }

  @Test("CSV gives back cleaned cells, whatever is in them")
  func csv() throws {
    let rows = cells(text(.csv, [record(fact: Self.hostile, evidence: " a,b ")]))
    #expect(rows.count == 2)
    #expect(rows[1].count == rows[0].count)
    let fact = try #require(rows[0].firstIndex(of: "fact"))
    let evidence = try #require(rows[0].firstIndex(of: "evidence_text"))
    #expect(rows[1][fact] == "=1+1, \"q\"·[31m·<b>*x*</b>")
    #expect(rows[1][evidence] == " a,b ")
  }

  @Test(
    "for a spreadsheet a formula is marked, and only then",
    arguments: ["=1", "+1", "-1", "@x", " =1", "\u{FF1D}1", "812345678901234567"])
  func formula(word: String) throws {
    let rows = [record(fact: word)]
    let plain = cells(text(.csv, rows))
    let marked = cells(text(.csv, rows, spreadsheet: true))
    let column = try #require(plain[0].firstIndex(of: "fact"))
    #expect(plain[1][column] == word)
    #expect(marked[1][column] == "'" + word)
    let id = try #require(plain[0].firstIndex(of: "id"))
    #expect(marked[1][id] == "7")
  }

  @Test("for a spreadsheet ordinary words stay as they are", arguments: ["tea", "1", "a=b", ""])
  func ordinary(word: String) {
    let rows = [record(subject: "x", fact: word)]
    #expect(text(.csv, rows) == text(.csv, rows, spreadsheet: true))
  }

  // MARK: Markdown

  @Test("Markdown has a section for each subject, in the order of the facts")
  func sections() {
    let words = text(
      .markdown,
      [
        record(id: 1, subject: "a", name: "Ann"), record(id: 2, subject: "b"),
        record(id: 3, subject: "a", evidence: "said so", name: "Ann"),
      ])
    #expect(
      words == """
        # Facts

        ## Ann (a)

        - likes tea (preference, confidence 0.825, id 1, Guild, 2023-11-14)
        - likes tea (preference, confidence 0.825, id 3, Guild, 2023-11-14)
          > said so

        ## b

        - likes tea (preference, confidence 0.825, id 2, Guild, 2023-11-14)

        """)
  }

  @Test(
    "nothing that strangers wrote is markup",
    arguments: [
      ("# x", "\\# x"), ("- x", "\\- x"), ("1. x", "1\\. x"), ("<img src=x>", "\\<img src=x\\>"),
      ("[a](b)", "\\[a\\](b)"), ("![a](b)", "\\!\\[a\\](b)"),
      ("*a* _b_ `c`", "\\*a\\* \\_b\\_ \\`c\\`"),
      ("http://x", "http\\://x"), ("a\n# b", "a·\\# b"), ("    code", "code"), ("&lt;", "\\&lt;"),
      ("a - b. c", "a - b. c"), ("+1", "\\+1"),
    ])
  func markup(word: String, expected: String) {
    let words = text(.markdown, [record(fact: word)])
    #expect(words.contains("- \(expected) (preference"), "\(words)")
  }
}
