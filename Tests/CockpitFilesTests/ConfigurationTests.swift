import Testing

@testable import CockpitFiles

@Suite struct ConfigurationTests {
  @Test("a whole file is read, and a profile inherits what it leaves out")
  func whole() throws {
    let configuration = try Configuration(
      toml: """
        theme = "okabe"
        glyphs = "safe"
        utc = true
        memory = "128MiB"
        on_quit_with_held = "send"
        profile = "prod"
        [profiles.prod]
        url = "https://bot.example"
        token_command = "pass show clanky"
        [profiles.local]
        url = "http://127.0.0.1:8787"
        theme = "mono"
        read_only = true
        """, path: "c.toml")
    #expect(configuration.glyphs == "safe")
    #expect(configuration.utc == true)
    #expect(configuration.memory == 128 << 20)
    #expect(configuration.onQuitWithHeld == "send")
    let prod = try configuration.resolved(profile: nil)
    #expect(prod.url == "https://bot.example")
    #expect(prod.theme == "okabe")
    let local = try configuration.resolved(profile: "local")
    #expect(local.theme == "mono")
    #expect(local.readOnly == true)
  }

  @Test(
    "what is wrong is said with file, line and key",
    arguments: [
      ("theem = \"mono\"", "c.toml:1: 'theem' is not a known key; did you mean 'theme'?"),
      ("\nutc = 1", "c.toml:2: 'utc' must be true or false"),
      (
        "[profiles.x]\nurll = \"y\"",
        "c.toml:2: 'profiles.x.urll' is not a known key; did you mean 'url'?"
      ),
      (
        "on_quit_with_held = \"never\"",
        "c.toml:1: 'on_quit_with_held' must be one of ask, send, drop"
      ),
      ("glyphs = \"emoji\"", "c.toml:1: 'glyphs' must be one of unicode, safe, ascii"),
      (
        "memory = \"1KiB\"",
        "c.toml:1: 'memory' must be a size from 4MiB to 4GiB, such as \"64MiB\""
      ),
    ])
  func errors(toml: String, sentence: String) {
    #expect {
      try Configuration(toml: toml, path: "c.toml")
    } throws: {
      "\($0)" == sentence
    }
  }

  @Test("broken TOML names its line")
  func syntax() {
    #expect {
      try Configuration(toml: "a = \n= b", path: "c.toml")
    } throws: {
      "\($0)".hasPrefix("c.toml:")
    }
  }

  @Test("an unknown profile names the known ones")
  func unknownProfile() throws {
    let configuration = try Configuration(toml: "[profiles.prod]\nurl = \"x\"", path: "c.toml")
    #expect(throws: FileError("there is no profile 'prd'; the configuration has: prod")) {
      try configuration.resolved(profile: "prd")
    }
  }

  @Test(
    "sizes",
    arguments: [
      ("64MiB", 64 << 20), ("256M", 256 << 20), ("1g", 1 << 30), ("67108864", 64 << 20),
    ] as [(String, Int)])
  func sizes(text: String, bytes: Int) { #expect(ByteCount(text)?.value == bytes) }

  @Test(
    "no sizes", arguments: ["", "MiB", "3MiB", "5GiB", "64 bananas", "-1", "99999999999999999M"])
  func noSizes(text: String) { #expect(ByteCount(text) == nil) }
}
