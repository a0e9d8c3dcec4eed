import Testing

@testable import ClankyWire

@Suite struct PrefixTests {
  @Test(arguments: [
    ("claude-opus-4-6", "claude-", "opus-4-6"), ("gpt", "claude-", "gpt"), ("", "claude-", ""),
    ("claude-", "claude-", ""), ("claude", "claude-", "claude"), (" a", " ", "a"),
    ("  a", " ", " a"), ("é", "", "é"),
  ])
  func without(text: String, prefix: String, rest: String) {
    #expect(String(text.without(prefix: prefix)) == rest)
    #expect(String(text[...].without(prefix: prefix)) == rest)
  }
}
