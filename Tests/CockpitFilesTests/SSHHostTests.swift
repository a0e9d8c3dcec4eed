import CockpitFiles
import Testing

@Suite struct SSHHostTests {
  @Test(
    "hosts and aliases",
    arguments: [
      "bot", "bot.example", "ops@bot.example", "10.0.0.7", "fe80::1%eth0",
      "ops@[::1]".filter {
        !"[]".contains($0)
      }, "my_bot-2",
    ])
  func good(host: String) { #expect(SSHHost.problem(host) == nil) }

  @Test(
    "options, shell syntax and empty parts are no host",
    arguments: [
      "", "-oProxyCommand=x", "ops@-v", "@bot", "ops@", "a b", "bot;x", "$(x)", "`x`", "bot\n",
      "ssh://bot:22", "bot'", "b\u{F6}t", String(repeating: "a", count: 256),
    ])
  func bad(host: String) { #expect(SSHHost.problem(host) != nil) }

  @Test("a profile's ssh is checked when the file is read")
  func profile() throws {
    let good = try Configuration(
      toml: "[profiles.p]\nurl = \"http://127.0.0.1:1\"\nssh = \"ops@bot\"\n", path: "/c.toml")
    #expect(good.profiles["p"]?.ssh == "ops@bot")
    for (text, words) in [
      ("url = \"http://127.0.0.1:1\"\nssh = \"-v\"", "must be a host"),
      ("ssh = \"bot\"", "needs a url beside it"),
      ("url = \"http://127.0.0.1:1\"\nssh_config = \"c\"", "needs ssh beside it"),
    ] {
      let problems = Configuration.problems(toml: "[profiles.p]\n\(text)\n", path: "/c.toml")
      #expect(problems.contains { $0.description.contains(words) }, "\(problems)")
    }
  }
}
