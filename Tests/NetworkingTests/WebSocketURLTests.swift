import Networking
import Testing

@Suite struct WebSocketURLTests {
  @Test func whatIsTakenApart() throws {
    let url = try WebSocketURL(" wss://Claw.Example:8443/gate/ ")
    #expect(url.description == "wss://claw.example:8443/gate")
    #expect(url.origin == "wss://claw.example:8443")
    #expect(url.authority == "claw.example:8443")
    #expect(url.path == "/gate")
    let bare = try WebSocketURL("ws://[::1]:18789")
    #expect((bare.authority, bare.path) == ("[::1]:18789", "/"))
  }

  @Test(
    "plain to this machine and to private addresses",
    arguments: [
      "ws://127.0.0.1", "ws://localhost:1", "ws://10.0.0.7", "ws://192.168.1.2", "ws://172.16.0.1",
      "ws://172.31.255.1", "ws://169.254.1.1", "ws://[fd00::1]", "ws://[fe80::1]",
    ])
  func plain(text: String) throws { _ = try WebSocketURL(text) }

  @Test(
    "not to others, unless it is allowed",
    arguments: [
      "ws://claw.example", "ws://8.8.8.8", "ws://172.32.0.1", "ws://192.169.0.1", "ws://11.0.0.1",
      "ws://[2001:db8::1]", "ws://010.0.0.1", "ws://10.1", "ws://10.evil.example.com",
    ])
  func others(text: String) throws {
    #expect(throws: WebSocketURL.Problem.self) { try WebSocketURL(text) }
    _ = try WebSocketURL(text, insecure: true)
    _ = try WebSocketURL("wss" + text.dropFirst(2))
  }

  @Test(
    "no address, and no word of the password",
    arguments: ["http://127.0.0.1", "127.0.0.1:18789", "", "ws://u:sesame@127.0.0.1", "ws://h?x"])
  func refused(text: String) {
    do throws(WebSocketURL.Problem) {
      _ = try WebSocketURL(text)
      Issue.record("accepted")
    } catch {
      #expect(!error.description.contains("sesame"))
    }
  }
}
