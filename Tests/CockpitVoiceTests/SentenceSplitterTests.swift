import CockpitVoice
import Testing

@Suite struct SentenceSplitterTests {
  private static func pieces(_ text: String) -> [String] {
    var splitter = SentenceSplitter()
    return (splitter.take(text) + splitter.finish()).map(\.text)
  }

  @Test(arguments: [
    ("One. Two! Three? Four… Five", ["One.", " Two!", " Three?", " Four…", " Five"]),
    ("Wait... what?! \"Yes.\" Good.", ["Wait...", " what?!", " \"Yes.\"", " Good."]),
    ("Pi is 3.14, v2.0.1 is out. Next.", ["Pi is 3.14, v2.0.1 is out.", " Next."]),
    (
      "Dr. Lee met Mr. J. Smith, e.g. at 5 p.m. today. Done.",
      ["Dr. Lee met Mr. J. Smith, e.g. at 5 p.m. today.", " Done."]
    ),
    (
      "See https://a.example/x.html?y=1. Then go.",
      ["See https://a.example/x.html?y=1.", " Then go."]
    ),
    ("1. Eggs\n2. Milk\n", ["1. Eggs\n", "2. Milk\n"]),
    ("It was 1984. Then 1985.", ["It was 1984.", " Then 1985."]),
    ("line\n\nline", ["line\n", "\n", "line"]),
    ("你好。再见！", ["你好。", "再见！"]),
    ("So am I. You too.", ["So am I.", " You too."]),
    ("", []),
    ("   ", ["   "]),
  ])
  func sentences(_ text: String, _ expected: [String]) {
    #expect(Self.pieces(text) == expected)
  }

  @Test func aLongSentenceIsCutBetweenWords() {
    let words = (1...60).map { "word\($0)" }.joined(separator: " ")
    let pieces = Self.pieces(words)
    #expect(pieces.joined() == words)
    #expect(pieces.dropLast().allSatisfy { (80...101).contains($0.count) && $0.last == " " })
    let long = String(repeating: "x", count: 1_000)
    #expect(Self.pieces(long).map(\.count) == [400, 400, 200])
  }

  @Test func codeIsNotRead() {
    let text = "Run this:\n```sh\nrm -rf. now\n```\nThen wait.\n~~~\nx\n```\n~~~\nEnd `a.b`."
    var splitter = SentenceSplitter()
    let pieces = splitter.take(text) + splitter.finish()
    #expect(pieces.map(\.text).joined() == text)
    #expect(
      pieces.compactMap(SpokenText.words) == ["Run this:", "Then wait.", "End a.b."])
    // An answer that ends within its code.
    var open = SentenceSplitter()
    let code = open.take("```\nlet x = 1. 2") + open.finish()
    #expect(code.count == 2 && code.filter(\.isCode) == code)
  }

  @Test(
    arguments: [
      ("## A *big* **day**", "A big day"),
      ("- see [the page](https://a.example/x) now.", "see the page now."),
      ("> go to https://www.a.example/path?q=1.", "go to www.a.example."),
      ("![map](x.png)", "map"),
      ("| a | b |", ", a , b ,"),
      ("snake_case stays", "snake_case stays"),
      ("---", nil), (" \n", nil), ("🎉", nil),
    ] as [(String, String?)])
  func spoken(_ text: String, _ expected: String?) {
    #expect(SpokenText.words(of: .init(text: text)) == expected)
  }

  /// No character is lost, and chunks do not matter, for texts that are made of what decides.
  @Test func anyChunkingGivesTheSame() {
    var random = Generator(seed: 7)
    let atoms = [
      "a", "word", " ", " ", "\n", ".", "!", "?", "…", "\"", ")", "```", "~~~", "`", "1", "e.g.",
      "Dr.",
      "。", "\r\n", "e\u{301}", "👩‍👩‍👧", "https://x.y/z", "\t", "sh\n",
      String(repeating: "q", count: 130),
    ]
    for _ in 0..<3_000 {
      let text = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        atoms.randomElement(using: &random) ?? ""
      }.joined()
      var whole = SentenceSplitter()
      let expected = whole.take(text) + whole.finish()
      var scalars = String.UnicodeScalarView()
      for piece in expected { scalars.append(contentsOf: piece.text.unicodeScalars) }
      #expect(Array(scalars) == Array(text.unicodeScalars))
      var chunked = SentenceSplitter()
      var pieces: [SentenceSplitter.Piece] = []
      var rest = Array(text.unicodeScalars)[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...9, using: &random)
        var chunk = String.UnicodeScalarView()
        chunk.append(contentsOf: rest.prefix(count))
        rest = rest.dropFirst(count)
        pieces += chunked.take(String(chunk))
      }
      pieces += chunked.finish()
      #expect(pieces == expected, "\(text.debugDescription)")
    }
  }
}

/// Numbers from a seed (SplitMix64).
struct Generator: RandomNumberGenerator {
  var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
