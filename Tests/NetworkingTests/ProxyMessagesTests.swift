import Networking
import Testing

@Suite("a proxy and its password") struct ProxyMessagesTests {
  /// Sentences around the address of a proxy, as libcurl 7.88 and later have them.
  private static let sentences: [@Sendable (String) -> String] = [
    { "Unsupported proxy scheme for '\($0)'" },
    { "Unsupported proxy syntax in '\($0)': Bad scheme" },
    { "Unsupported proxy '\($0)', libcurl is built without the HTTPS-proxy support." },
    { "Could not resolve proxy: \($0)" },
    { "\($0)" },
  ]

  @Test(
    "F02: what stands before the last @ of an address is in no words about a failure",
    arguments: [
      "htp://ops:EXAMPLE-PASSWORD@proxy.corp:3128", "ftp://ops:EXAMPLE-PASSWORD@proxy.corp",
      "http://ops:EXAMPLE@PASSWORD@proxy.corp", "ops:EXAMPLE-PASSWORD@proxy.corp:3128",
      "http://ops:EXAMPLE/PASS?WORD#EXAMPLE@proxy.corp", "HTTP%3A%2F%2Fops%3AEXAMPLE%40proxy.corp",
      "http://ops:EXAMPLE%40PASSWORD%40proxy.corp", "http:///ops:EXAMPLE@proxy.corp",
      "socks5h://ops:EXAMPLE'PASSWORD@proxy.corp", "http://EXAMPLE-PASSWORD@proxy.corp",
      "http://ops:EXAMPLE PASSWORD@proxy.corp", "http:\\/\\/ops:EXAMPLE@proxy.corp",
    ])
  func userInfo(address: String) {
    for sentence in Self.sentences {
      let words = UserInfo.removed(from: sentence(address), of: .library)
      #expect(!words.contains("EXAMPLE") && !words.contains("PASSWORD"), "\(words)")
      #expect(!words.contains("ops:"), "\(words)")
      #expect(words.contains("proxy.corp"), "what helps stays: \(words)")
    }
  }

  @Test("F02: words that were cut before the @ end where the address begins")
  func cut() {
    let long = "Unsupported proxy scheme for 'htp://ops:" + String(repeating: "PW", count: 120)
    for words in [long, long.replacing("htp://", with: "")] {
      #expect(
        !UserInfo.removed(from: words, of: .library, isCut: true).contains("PW"), "\(words)")
    }
  }

  @Test("words of a backend keep their mentions and lose their passwords")
  func remote() {
    func cleaned(_ text: String) -> String { UserInfo.removed(from: text, of: .remote) }
    #expect(cleaned("cannot reach <@123> at 12:30") == "cannot reach <@123> at 12:30")
    #expect(cleaned("write to ops@corp.example") == "write to ops@corp.example")
    #expect(cleaned("upstream http://a:b@c/ failed") == "upstream http://@c/ failed")
    #expect(cleaned("upstream a:b@c failed") == "upstream @c failed")
    #expect(cleaned("no mail here") == "no mail here")
  }

  @Test(
    "W07: the variable is the one that libcurl takes, as it is spelled",
    arguments: [
      ("https://bot.example", ["ALL_PROXY"], "ALL_PROXY"),
      ("https://bot.example", ["all_proxy", "ALL_PROXY"], "all_proxy"),
      ("https://bot.example", ["HTTPS_PROXY", "ALL_PROXY", "http_proxy"], "HTTPS_PROXY"),
      ("https://bot.example", ["https_proxy", "HTTPS_PROXY"], "https_proxy"),
      ("https://bot.example", ["http_proxy", "HTTP_PROXY"], nil),
      ("http://bot.example", ["http_proxy", "https_proxy"], "http_proxy"),
      ("http://bot.example", ["HTTP_PROXY", "HTTPS_PROXY"], nil),
      ("http://bot.example", ["HTTP_PROXY", "ALL_PROXY"], "ALL_PROXY"),
      ("http://127.0.0.1:8787", ["http_proxy", "ALL_PROXY"], nil),
      ("https://localhost", ["https_proxy"], nil),
    ] as [(String, [String], String?)])
  func variable(url: String, set: [String], taken: String?) throws {
    let base = try BackendURL(url, allowPlainHTTP: true)
    let variables = ProxyVariables(for: base) { set.contains($0) ? "http://proxy" : nil }
    #expect(variables?.proxy == taken)
    // An empty variable is none.
    #expect(ProxyVariables(for: base) { _ in "" } == nil)
    let advice = LinkFailure.proxy("", variables: variables).advice
    if let taken { #expect(advice.contains(taken + ",") && advice.contains("NO_PROXY")) }
  }

  @Test("W07: of the two spellings of the exceptions the one that counts is named")
  func exceptions() throws {
    let base = try BackendURL("https://bot.example")
    func variables(_ set: [String]) -> ProxyVariables? {
      ProxyVariables(for: base) { set.contains($0) ? "x" : nil }
    }
    #expect(variables(["ALL_PROXY", "no_proxy", "NO_PROXY"])?.exceptions == "no_proxy")
    #expect(variables(["ALL_PROXY", "NO_PROXY"])?.exceptions == "NO_PROXY")
    #expect(variables(["ALL_PROXY"])?.exceptions == "NO_PROXY")
  }
}
