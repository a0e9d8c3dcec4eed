import Foundation
import TerminalTestKit
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension EndToEnd {
  /// A conversation whose file finds no room. The files on the disk are the truth.
  @Suite("a conversation on a full disk", .enabled(if: DiskTests.canMount, "mounting needs root"))
  struct FullDiskChatTests {
    @Test("it goes on and says that it is not kept; with room again everything is in the file")
    func conversation() throws {
      let claw = try GatewayHome()
      let home = try TemporaryFolder()
      let config = """
        [profiles.claw]
        kind = "openclaw"
        url = "\(claw.demo.url)"
        token_file = "\(claw.demo.tokenFile)"
        scopes = "operate"
        """
      let script = """
        mount -t tmpfs -o size=256k,mode=700 tmpfs "$HOME" || exit 9; cd "$HOME"
        umask 077; mkdir -p .config/clanky-cockpit .local/state/clanky-cockpit
        cat > .config/clanky-cockpit/config.toml <<'END'
        \(config)
        END
        exec "$@"
        """
      let cockpit = try PTYProcess(
        "/usr/bin/unshare",
        ["-m", "/bin/sh", "-c", script, "sh", Tool.path, "--profile", "claw", "--utc"],
        environment: Tool.environment(
          home: home, ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": "/tmp"]),
        rows: 40, columns: 120)
      try cockpit.expect("LIVE", timeout: Tool.patience)
      cockpit.send("i")
      try cockpit.expect("Enter sends", timeout: Tool.patience)
      // Seen from outside through the process, whose mounts are its own.
      let root = "/proc/\(cockpit.processID)/root\(home.path)"
      let fill = open(root + "/fill", O_CREAT | O_WRONLY, 0o600)
      #expect(fill >= 0)
      let page = [UInt8](repeating: 0, count: 4_096)
      while write(fill, page, page.count) > 0 {}
      close(fill)
      cockpit.send("remember the lantern\r")
      try cockpit.expect("not kept on the disk", timeout: Tool.patience)
      // The answer is there all the same.
      try cockpit.expect("tokens", timeout: Tool.patience)
      #expect(cockpit.terminal.text.contains("remember the lantern"))
      try FileManager.default.removeItem(atPath: "\(root)/fill")
      cockpit.send("and the ladder\r")
      let state = "\(root)/.local/state/clanky-cockpit"
      let kept = {
        let files = FileManager.default.enumerator(atPath: state)?.compactMap { $0 as? String }
        return (files ?? []).filter { $0.hasSuffix(".jsonl") }.compactMap {
          try? String(contentsOfFile: "\(state)/\($0)", encoding: .utf8)
        }.joined()
      }
      let end = ContinuousClock.now + .seconds(20)
      while !(kept().contains("remember the lantern") && kept().contains("and the ladder")),
        ContinuousClock.now < end
      { usleep(20_000) }
      #expect(kept().contains("remember the lantern") && kept().contains("and the ladder"))
      cockpit.send("\u{1B}")
      try cockpit.expect("i write", timeout: Tool.patience)
      cockpit.send("q")
      cockpit.send("q")
      #expect(cockpit.wait(timeout: Tool.patience) == .exited(0))
    }
  }
}
