import Foundation
import TerminalTestKit
import Testing

#if os(Linux)
  extension EndToEnd {
    /// Sinks work in `record` and `sinks` alone.
    @Suite("sinks: no cost elsewhere") struct SinkCostTests {
      let home: TemporaryFolder

      init() throws { home = try TemporaryFolder() }

      private func configuration(_ loki: StubServer) throws -> String {
        try home.file(
          "config.toml",
          """
          [sinks]
          team = { kind = "postgres", dsn = "host=\(home.path) user=nobody" }
          logs = { kind = "loki", url = "\(loki.url)" }

          """)
      }

      /// The files that a process has in its memory.
      private func files(of pid: Int32) -> String {
        // The size of the file is said to be 0: it is read to its end.
        let file = FileHandle(forReadingAtPath: "/proc/\(pid)/maps")
        var bytes = Data()
        while let more = try? file?.read(upToCount: 4096), !more.isEmpty { bytes += more }
        return String(decoding: bytes, as: UTF8.self)
      }

      @Test(
        "the cockpit with sinks in its configuration loads no libpq, and sends none of them a row")
      func cockpit() throws {
        let loki = try StubServer { _ in .json("{}") }
        defer { loki.stop() }
        let file = try configuration(loki)
        let demo = try DemoBackend(home: home)
        let cockpit = try Cockpit(on: demo, ["--config", file], home: home)
        let files = files(of: cockpit.pty.processID)
        #expect(files.contains("libcurl"))
        #expect(!files.contains("libpq"))
        cockpit.type("q")
        cockpit.expectEnd(.exited(0))
        #expect(loki.requests.isEmpty)
      }

      @Test("a recorder with these sinks does both: what the other test looks for is found")
      func recorder() throws {
        let loki = try StubServer { _ in .json("{}") }
        defer { loki.stop() }
        let file = try configuration(loki)
        let demo = try DemoBackend(["--flood", "20"], home: home)
        let recorder = try PipedProcess(
          Tool.path,
          [
            "record", "--url", demo.url, "--token-file", demo.tokenFile, "--config", file, "--to",
            "team", "--to", "logs",
          ],
          environment: Tool.environment(home: home))
        // PostgreSQL cannot be reached; where libpq is not installed the sink says so.
        recorder.pump {
          loki.requests.contains { $0.headers["content-encoding"] == "gzip" }
            && (recorder.errorText.contains("libpq is not")
              || recorder.errorText.contains("team: connection"))
        }
        #expect(loki.requests.contains { $0.headers["content-encoding"] == "gzip" })
        #expect(
          files(of: recorder.processID).contains("libpq")
            || recorder.errorText.contains("libpq is not"), "\(recorder.errorText)")
        recorder.signal(SIGINT)
        #expect(recorder.wait() == .exited(130))
      }
    }
  }
#endif
