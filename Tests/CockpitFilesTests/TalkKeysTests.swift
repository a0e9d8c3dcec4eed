import Testing

@testable import CockpitFiles

/// `headers`, `message_channel` and `history` of a profile.
@Suite struct TalkKeysTests {
  private func problems(_ profile: String) -> [String] {
    Configuration.problems(toml: "[profiles.x]\n\(profile)\n", path: "c").map(\.description)
  }

  private static let gateway = "kind = \"openclaw\"\nurl = \"ws://127.0.0.1:1\"\n"
  private static let server = "kind = \"openai\"\nurl = \"http://127.0.0.1:1\"\n"

  @Test("values are literals or references, and the names are sorted")
  func values() throws {
    let text =
      "[profiles.x]\n" + Self.server
      + "headers = { b = \"plain\", a = \"env:A\", d = \"command:pass d\", c = \"file:~/c\" }\n"
    let configuration = try #require(Configuration.readable(toml: text, path: "c"))
    #expect(
      configuration.profiles["x"]?.talk.headers == [
        .init(name: "a", value: .variable("A")), .init(name: "b", value: .literal("plain")),
        .init(name: "c", value: .file("~/c")), .init(name: "d", value: .command("pass d")),
      ])
    #expect(Configuration.problems(toml: text, path: "c").isEmpty)
    #expect(configuration.lines["profiles.x.headers.a"] == 4)
  }

  @Test(
    "headers that the program sets, and names and values that would break a request, are refused")
  func refused() {
    for name in [
      "Authorization", "HOST", "Sec-WebSocket-Key", "proxy-authorization", "Content-Length",
      "x-openclaw-session-key", "X-OpenClaw-Message-Channel", "transfer-encoding", "a b", "a:b",
      "ä", "",
    ] {
      let found = problems(Self.gateway + "headers = { \"\(name)\" = \"v4lue\" }")
      #expect(found.count == 1, "\(name): \(found)")
      #expect(!found.joined().contains("v4lue"))
    }
    for value in ["a\\r\\nHost: evil", "a\\nb", "\\u0000", "", "caf\u{E9}", "env:", "file:"] {
      let found = problems(Self.gateway + "headers = { X-A = \"\(value)\" }")
      #expect(found.count == 1, "\(value): \(found)")
      #expect(!found.joined().contains("evil"))
    }
    #expect(problems(Self.gateway + "headers = { X-A = \"1\", x-a = \"2\" }").count == 1)
    #expect(problems(Self.gateway + "headers = { X-A = 7 }").count == 1)
    let many = (0..<33).map { "X-\($0) = \"v\"" }.joined(separator: ", ")
    #expect(problems(Self.gateway + "headers = { \(many) }").count == 1)
  }

  @Test("one side keeps the history, and what a server cannot do is refused")
  func history() {
    #expect(problems(Self.gateway + "history = \"server\"").isEmpty)
    #expect(problems(Self.gateway + "history = \"client\"").count == 1)
    #expect(problems(Self.gateway + "api = \"chat\"\nhistory = \"client\"").isEmpty)
    #expect(problems(Self.server + "history = \"client\"").isEmpty)
    #expect(problems(Self.server + "history = \"server\"").count == 1)
    #expect(problems(Self.gateway + "history = \"both\"").count == 1)
  }

  @Test("a message channel is a short name, and belongs to a gateway")
  func channel() {
    #expect(problems(Self.gateway + "message_channel = \"desk-2\"").isEmpty)
    for bad in ["a b", "", "a\\nb", String(repeating: "a", count: 65)] {
      #expect(problems(Self.gateway + "message_channel = \"\(bad)\"").count == 1, "\(bad)")
    }
    #expect(problems(Self.server + "message_channel = \"desk\"").count == 1)
  }

  @Test("a Clanky bot takes none of them")
  func bot() {
    for line in ["headers = { X-A = \"v\" }", "message_channel = \"a\"", "history = \"client\""] {
      #expect(problems("url = \"http://127.0.0.1:1\"\n" + line).count == 1, "\(line)")
    }
  }
}
