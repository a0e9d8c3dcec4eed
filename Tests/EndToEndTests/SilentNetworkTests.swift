import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What stands between us and the backend takes what we send and says nothing.
  @Suite("silence on the way (promises P4b, P5b)") struct SilentNetworkTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test(
      "a proxy that takes the connection and is silent is named, and nobody is told to leave TLS out",
      arguments: ["https_proxy", "ALL_PROXY"])
    func proxy(variable: String) throws {
      let proxy = try StubServer(greeting: []) { _ in StubReply() }
      defer { proxy.stop() }
      let process = try PipedProcess(
        Tool.path, ["actions", "--url", "https://bot.example"],
        environment: Tool.environment(home: home, token: "some-token-1", [variable: proxy.url]))
      #expect(process.wait() == .exited(3), "\(process.errorText)")
      #expect(process.errorText.contains("The proxy did not let the request through"))
      #expect(
        process.errorText.contains("Check \(variable),") && !process.errorText.contains("TLS"))
    }

    /// A network of our own with a name server on it that takes questions and answers none, and a file
    /// that says when one came.
    private static let script = """
      ip link set lo up && echo nameserver 127.0.0.1 > "$HOME/resolv.conf" || exit 9
      mount --bind "$HOME/resolv.conf" /etc/resolv.conf || exit 9
      perl -MIO::Socket::INET -e '
        my $s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 53, Proto => "udp") or exit 9;
        open(my $r, ">", "$ENV{HOME}/ready"); close $r;
        alarm 60; while ($s->recv(my $b, 2000)) { open(my $f, ">", "$ENV{HOME}/asked"); }' &
      while [ ! -e "$HOME/ready" ]; do kill -0 $! || exit 9; done
      trap 'kill $!' EXIT
      "$0" "$@"
      """

    private static func arguments(_ more: [String]) -> [String] {
      ["-m", "-n", "/bin/sh", "-c", script, Tool.path] + more
        + ["--url", "https://bot.example"]
    }

    private func environment() -> [String: String] {
      Tool.environment(
        home: home, token: "some-token-1", ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    }

    /// Whether such a network can be made.
    static let canIsolate: Bool = {
      #if os(Linux)
        let tools = ["/usr/sbin/ip", "/usr/bin/perl", "/usr/bin/unshare"]
        return DiskTests.canMount
          && tools.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
      #else
        return false
      #endif
    }()

    @Test(
      "a name server that does not answer: the cockpit can be left at once, a verb gives up after 5 s",
      .enabled(if: canIsolate, "a network of our own needs root, ip and perl"))
    func nameServer() throws {
      let pty = try PTYProcess(
        "/usr/bin/unshare", Self.arguments([]), environment: environment(), rows: 30, columns: 100)
      let asked = "\(home.path)/asked"
      #expect(
        pty.pump(timeout: Tool.patience) { FileManager.default.fileExists(atPath: asked) })
      try pty.expect("CLANKY", timeout: Tool.patience)
      // Also after its time is over, when the transfer is given up.
      try pty.expect("reached in time", timeout: Tool.patience)
      let start = ContinuousClock.now
      pty.send("q")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0))
      #expect(ContinuousClock.now - start < .seconds(1.5))

      let verbStart = ContinuousClock.now
      let verb = try PipedProcess(
        "/usr/bin/unshare", Self.arguments(["actions"]), environment: environment())
      #expect(verb.wait() == .exited(3), "\(verb.errorText)")
      #expect(ContinuousClock.now - verbStart < .seconds(8))
    }
  }
}
