import Networking
import Testing

@Suite struct BackendURLTests {
  @Test(arguments: [
    ("http://127.0.0.1:8787", "http://127.0.0.1:8787"), ("HTTP://LocalHost/", "http://localhost"),
    ("https://Example.com:443/", "https://example.com"),
    ("https://example.com.:8443//base/x/", "https://example.com:8443/base/x"),
    ("http://[::1]:8787/", "http://[::1]:8787"), ("http://127.255.3.4", "http://127.255.3.4"),
    (" https://a-b.c_d.example \n", "https://a-b.c_d.example"),
  ])
  func accepted(_ text: String, _ expected: String) throws {
    #expect(try BackendURL(text).description == expected)
  }

  @Test(arguments: [
    ("", BackendURL.Problem.empty), ("localhost:8787", .missingScheme), ("ftp://a", .scheme),
    ("https://user:pw@host", .userInfo), ("https://user@host/@", .userInfo),
    ("https://host/?token=x", .queryOrFragment), ("https://host#x", .queryOrFragment),
    ("https://", .host), ("https://a b", .host), ("https://ho\u{7}st", .host),
    ("https://h\u{f6}st", .host),
    ("https://[fe80::1%25eth0]", .host), ("https://[::1", .host), ("https://h:0", .port),
    ("https://h:65536", .port), ("https://h:8x", .port), ("https://h/a b", .path),
    ("https://h/\u{1b}[2J", .path), ("https://h/../x", .path), ("https://h\\@evil", .path),
    ("http://example.com", .plainHTTP(host: "example.com")),
    ("http://127.1", .plainHTTP(host: "127.1")),
    ("http://0127.0.0.1", .plainHTTP(host: "0127.0.0.1")),
    ("http://127.0.0.1.nip.example", .plainHTTP(host: "127.0.0.1.nip.example")),
    ("http://[::2]", .plainHTTP(host: "::2")),
    ("http://localhost.example", .plainHTTP(host: "localhost.example")),
  ])
  func refused(_ text: String, _ problem: BackendURL.Problem) {
    #expect(throws: problem) { try BackendURL(text) }
    #expect(!problem.description.contains("pw"))
  }

  @Test func plainHTTPCanBeAllowedAndOriginsCompare() throws {
    let plain = try BackendURL("http://example.com/x", allowPlainHTTP: true)
    #expect(!plain.isLoopback)
    #expect(plain.hasSameOrigin(as: try BackendURL("http://EXAMPLE.com:80", allowPlainHTTP: true)))
    #expect(!plain.hasSameOrigin(as: try BackendURL("https://example.com")))
    #expect(try BackendURL("http://[0:0:0:0:0:0:0:1]").isLoopback)
  }

  @Test func targetsAreEncoded() throws {
    let base = try BackendURL("https://example.com/base/")
    let target = RequestTarget(
      ["api", "a/b?c#d", "..", "\u{e9}"], query: [.init("q", "1&2=3 +%"), .init("n", "")])
    #expect(
      base.absolute(target)
        == "https://example.com/base/api/a%2Fb%3Fc%23d/%2E%2E/%C3%A9?q=1%262%3D3%20%2B%25&n=")
    #expect(
      RequestTarget.actions(limit: 5, sinceHours: 0.016_66, kinds: ["a", "b"]).encoded
        == "/api/actions?limit=5&sinceHours=0.0167&kinds=a%2Cb")
  }
}
