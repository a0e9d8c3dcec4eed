import Testing

@testable import TerminalCore

@Suite("the terminal's encoding by the locale's name (promise P2)") struct TextEncodingTests {
  @Test(
    arguments: [
      (["LC_ALL": "en_US.UTF-8", "LANG": "C"], .utf8), (["LANG": "de_DE.utf8@euro"], .utf8),
      (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], .utf8),
      (["LC_ALL": "C", "LANG": "en_US.UTF-8"], .unstated), (["LANG": "POSIX"], .unstated),
      (["LANG": "de_DE"], .unstated), (["LANG": "de_DE@euro"], .unstated), ([:], .unstated),
      (["LANG": "de_DE.ISO-8859-1"], .other), (["LC_CTYPE": "ja_JP.eucJP"], .other),
      (["LANG": "de_DE."], .unstated),
    ] as [([String: String], TextEncoding)])
  func names(environment: [String: String], encoding: TextEncoding) {
    #expect(TextEncoding(environment: environment) == encoding)
  }

  @Test(
    arguments: [
      ("UTF-8", .utf8), ("ANSI_X3.4-1968", .unstated), ("US-ASCII", .unstated),
      ("ISO-8859-15", .other), ("EUC-JP", .other), ("", .unstated),
    ] as [(String, TextEncoding)])
  func codesets(name: String, encoding: TextEncoding) {
    #expect(TextEncoding(codeset: name) == encoding)
  }

  @Test("where nothing but ASCII can be shown, no mark of a letter is left either")
  func marks() {
    let glyph = Glyph(0x5A, marks: 0x334)
    #expect(SymbolSet.ascii.substitute(for: glyph) == Glyph(0x5A))
    #expect(SymbolSet.safe.substitute(for: glyph) == nil)
    #expect(SymbolSet.ascii.substitute(for: Glyph(0x5A)) == nil)
  }
}
