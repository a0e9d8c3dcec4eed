import Foundation
import LenientJSON
import Testing

@testable import CockpitHistory

@Suite struct RedactorTests {
  private static func known(_ rows: String...) -> KnownIdentities {
    var known = KnownIdentities()
    for row in rows { Array(row.utf8).withUnsafeBytes { known.learn(action: $0) } }
    return known
  }

  private static let mira = """
    {"kind":"voice_runtime","content":"openai_realtime_asr_final_segment","createdAt":"2026-11-24T22:00:00.000Z",\
    "userId":"810000000000000001","guildId":"900000000000000101","metadata":{"speakerName":"Mira Öst","transcript":"hi"}}
    """

  private static func redact(
    _ row: String, _ level: RedactionLevel = .people, prompts: Bool = false,
    known: KnownIdentities? = nil
  ) -> JSONValue {
    var known = known ?? Self.known(mira)
    Array(row.utf8).withUnsafeBytes { known.learn(action: $0) }
    var redactor = Redactor(level, keepsPrompts: prompts, known: known)
    let bytes = redactor.action(Array(row.utf8)) ?? []
    return bytes.withUnsafeBytes { (try? JSONValue.parse($0)) ?? .null }
  }

  private static func text(_ text: String, _ known: KnownIdentities = known(mira)) -> String {
    var redactor = Redactor(.people, keepsPrompts: false, known: known)
    return redactor.masked(text)
  }

  @Test("a person has one pseudonym in ids, names and texts, whatever the case")
  func onePseudonym() throws {
    let row = Self.redact(
      """
      {"kind":"sent_reply","content":"thanks mira, and MIRA ÖST! <@810000000000000001> knows","created_at":"2026-11-24T22:00:00.000Z",
      "user_id":"810000000000000001","metadata":{"authorName":"Mira Öst","costUsd":0.25,"latencyMs":812}}
      """)
    let id = try #require(row["user_id"]?.string)
    #expect(id.count == 18 && id.hasPrefix("9000000000000"))
    let name = "person-\(id.suffix(5))"
    #expect(row["metadata"]?["authorName"]?.string == name)
    #expect(row["content"]?.string == "thanks \(name), and \(name)! <@\(id)> knows")
    #expect(row["metadata"]?["costUsd"]?.double == 0.25)
    #expect(row["metadata"]?["latencyMs"]?.int == 812)
    #expect(row["created_at"]?.string == "2026-11-24T22:00:00.000Z")
    #expect(row["kind"]?.string == "sent_reply")
  }

  @Test("words that only contain a name stay")
  func boundaries() {
    #expect(Self.text("admiral miracle samira") == "admiral miracle samira")
    #expect(Self.text("(mira)").hasPrefix("(person-"))
    #expect(Self.text("mira's").hasSuffix("'s"))
  }

  @Test("a name in decomposed form and names without spaces around them are found")
  func scripts() {
    var known = KnownIdentities()
    known.learn("810000000000000002", .person, name: "花子")
    known.learn("810000000000000003", .person, name: "Zoë")
    #expect(!Self.text("今日は花子さんと", known).contains("花子"))
    #expect(Self.text("hi Zoe\u{308}!", known).hasPrefix("hi person-"))
  }

  @Test(
    "what has the form of something private is masked",
    arguments: [
      (
        "see https://cdn.discordapp.com/a/b.png?ex=1&hm=abc for it", "see https://host-",
        "/[path] for it"
      ),
      ("at http://127.0.0.1:8787/api/x", "at http://127.0.0.1", "/[path]"),
      ("write to some.one+x@mail.example.org now", "write to [mail] now", ""),
      ("call +49 171 2345678.", "call [phone].", ""),
      ("call 0171-2345678", "call [phone]", ""),
      ("in /home/me/bot/data.db it", "in [path] it", ""),
      ("in ~/notes.md", "in [path]", ""),
      (#"in C:\Users\me\x.txt"#, "in [path]", ""),
      ("key sk-abcDEF1234567890 is", "key [key] is", ""),
      ("Bearer abcdefghijklmnop", "[key]", ""),
      ("x eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "x [key]", ""),
      ("192.168.17.4 said", "host-", " said"),
      ("id 1573507668230799361", "id 94", ""),
    ])
  func forms(text: String, prefix: String, suffix: String) {
    let new = Self.text(text)
    #expect(new.hasPrefix(prefix) && new.hasSuffix(suffix), "\(new)")
  }

  @Test(
    "numbers, times, codes and ordinary words stay",
    arguments: [
      "at 2026-11-21T01:18:53.731Z it took 1795223934638 ms",
      "version 1.2.3, 14:31:22, 12,345 rows",
      "and/or r/technology 3/4", "openai_realtime_asr_final_segment",
      "5bfe916d-a02e-4762-9ef7-ae844196448c",
      "a 2026-11-24 22:00 date", "0.10595600000000001", "GET /api/actions?limit=1000",
      "wait: what?",
    ])
  func kept(text: String) { #expect(Self.text(text) == text) }

  @Test("a field that is not on the list does not pass")
  func unlisted() {
    let row = Self.redact(
      #"{"kind":"x","createdAt":"2026-11-24T22:00:00.000Z","metadata":{"secretNote":"hello","n":5,"Mira Öst":{"is":"x"}}}"#
    )
    #expect(row["metadata"]?["secretNote"]?.string == "[left out: 5 characters]")
    #expect(row["metadata"]?["n"]?.int == 5)
    #expect(row["metadata"]?["Mira Öst"] == nil)
  }

  @Test("of a prompt only the message that it is about stays, unless prompts are asked for")
  func prompts() throws {
    let json = """
      {"kind":"llm_call","content":"m:x","createdAt":"2026-11-24T22:00:00.000Z","userId":"810000000000000001",
      "metadata":{"systemPrompt":"You are a bot.","userPrompt":"=== CURRENT MESSAGE ===\\n\\nmira_o: which fuse?\\n\\n=== RECENT ===\\nTobias: hello"}}
      """
    let out = Self.redact(json)["metadata"]
    #expect(out?["systemPrompt"]?.string == "[left out: 14 characters]")
    let kept = try #require(out?["userPrompt"]?.string)
    #expect(kept.contains(": which fuse?") && !kept.contains("Tobias") && !kept.contains("mira_o"))
    let all = Self.redact(json, prompts: true)["metadata"]
    #expect(all?["systemPrompt"]?.string == "You are a bot.")
    #expect(all?["userPrompt"]?.string?.contains("mira_o") == false)
  }

  @Test("without words only lengths are left")
  func words() {
    let row = Self.redact(Self.mira, .words)
    #expect(row["metadata"]?["transcript"]?.string == "[2 characters]")
    #expect(row["content"]?.string == "openai_realtime_asr_final_segment")
    #expect(row["metadata"]?["speakerName"]?.string?.hasPrefix("person-") == true)
  }

  @Test("without redaction the bytes stay as they are")
  func none() {
    var redactor = Redactor(.none, keepsPrompts: true, known: Self.known(Self.mira))
    #expect(redactor.action(Array(Self.mira.utf8)) == Array(Self.mira.utf8))
    #expect(redactor.masked("mira at a@b.example.org") == "mira at a@b.example.org")
  }

  @Test("hostile text does not crash it and stays JSON")
  func hostile() {
    for text in [
      "\\u0000\\u001b[31m", "\\ud800", "://", "@", "+", "(((((((((", "////////", "~/", "C:\\\\",
      "::::::", "....",
      String(repeating: "9", count: 5000), String(repeating: "mira ", count: 2000), "https://",
      "a@b", "\\u202emira",
    ] {
      let row = Self.redact(
        #"{"kind":"x","createdAt":"2026-11-24T22:00:00.000Z","content":"\#(text)","metadata":{"\#(text)":["\#(text)"]}}"#
      )
      #expect(row["kind"]?.string == "x", "\(text.prefix(20))")
      #expect(row["content"]?.string?.lowercased().contains("mira") == false)
    }
  }

  @Test("names that are ordinary words are replaced in fields for names only, and are told")
  func wordlike() {
    var known = Self.known(Self.mira)
    known.learn("810000000000000009", .person, name: "the")
    var redactor = Redactor(.people, keepsPrompts: false, known: known)
    #expect(redactor.masked("the bot") == "the bot")
    #expect(redactor.wordlikeNames == ["the"])
  }

  @Test("ids and names of a person are found by each other")
  func people() {
    var known = Self.known(Self.mira)
    known.learn("810000000000000001", .person, name: "mira_later")
    #expect(known.ids(named: "mira öst") == ["810000000000000001"])
    #expect(known.names(of: "810000000000000001") == ["Mira Öst", "mira_later"])
  }
}
