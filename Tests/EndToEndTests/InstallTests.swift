import Foundation
import Testing

extension EndToEnd {
  /// scripts/install and scripts/uninstall with the program that was built for the tests.
  @Suite("install") struct InstallTests {
    let home: TemporaryFolder
    private let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    init() throws { home = try TemporaryFolder() }

    private func script(_ name: String, _ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        "\(root)scripts/\(name)", arguments,
        environment: Tool.environment(
          home: home, ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]))
      process.wait()
      return process
    }

    private func files(_ folder: String) throws -> Set<String> {
      Set(try FileManager.default.subpathsOfDirectory(atPath: folder))
    }

    /// A `swift` that takes its time and says how far it is, as SwiftPM does; `FAIL` makes it fail.
    private func cockpitScript(_ environment: [String: String]) throws -> PipedProcess {
      let folder = home.path + "/fake"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      _ = try home.file(
        "fake/swift",
        """
        #!/bin/sh
        case "$*" in *--show-bin-path*) echo "$HOME/fake"; exit 0 ;; esac
        echo "[3/84] Compiling ClankyWire JSONParser.swift"
        sleep 3
        [ -z "$FAIL" ] || { echo "x.swift:1: error: broken"; exit 1; }
        """, mode: 0o700)
      _ = try home.file("fake/clanky-cockpit", "#!/bin/sh\necho OPENED \"$@\"\n", mode: 0o700)
      // Nothing is to be installed by a test.
      _ = try home.file("fake/dpkg-query", "#!/bin/sh\necho install ok installed\n", mode: 0o700)
      return try PipedProcess(
        "\(root)scripts/cockpit", ["--demo"],
        environment: Tool.environment(
          home: home, ["PATH": "\(folder):/usr/bin:/bin"].merging(environment) { $1 }))
    }

    #if os(Linux)
      @Test("H10: scripts/cockpit says what is built and how far, and opens what was built")
      func progress() throws {
        let process = try cockpitScript(["COCKPIT_PROGRESS_SECONDS": "1"])
        #expect(process.wait() == .exited(0), "\(process.errorText)")
        #expect(process.lines == ["OPENED --demo"])
        #expect(
          process.errorText.contains("s  3 of 84 steps: Compiling ClankyWire JSONParser.swift\n"),
          "\(process.errorText)")
        #expect(!process.errorText.contains("\u{1B}"), "no terminal, no line that changes")
      }

      @Test("H10: the log of a build that failed is printed")
      func failedBuild() throws {
        let process = try cockpitScript(["COCKPIT_PROGRESS_SECONDS": "1", "FAIL": "1"])
        #expect(process.wait() == .exited(1))
        #expect(process.errorText.contains("x.swift:1: error: broken\n"), "\(process.errorText)")
        #expect(process.errorText.contains("cockpit: the build failed; see above"))
      }
    #endif

    @Test("what install writes works, and uninstall removes exactly that")
    func roundTrip() throws {
      let prefix = "\(home.path)/prefix with space"
      try FileManager.default.createDirectory(
        atPath: "\(prefix)/share/man/man1", withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: "\(prefix)/share/man/man1/other.1"))
      let before = try files(prefix)

      for _ in 1...2 {  // again over itself
        let install = try script("install", ["--prefix", prefix, "--binary", Tool.path])
        #expect(install.status == .exited(0), "\(install.errorText)")
      }
      let after = try files(prefix)
      for path in [
        "bin/clanky-cockpit", "share/man/man1/clanky-cockpit.1",
        "share/clanky-cockpit/themes/mono.toml", "share/clanky-cockpit/manifest",
        "share/bash-completion/completions/clanky-cockpit",
        "share/zsh/site-functions/_clanky-cockpit",
        "share/fish/vendor_completions.d/clanky-cockpit.fish",
      ] {
        #expect(after.contains(path), "\(path) is missing")
      }
      let version = try PipedProcess(
        "\(prefix)/bin/clanky-cockpit", ["--version"], environment: Tool.environment(home: home))
      #expect(version.wait() == .exited(0))
      let source = try String(
        contentsOfFile: "\(root)Sources/CockpitSession/Process/Version.swift", encoding: .utf8)
      #expect(source.contains("\"\(version.lines.first ?? "-")\""))

      // Something of an older version that this one no longer has.
      let manifest = "\(prefix)/share/clanky-cockpit/manifest"
      let old = "share/clanky-cockpit/old/old.toml"
      try FileManager.default.createDirectory(
        atPath: "\(prefix)/share/clanky-cockpit/old", withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: "\(prefix)/\(old)"))
      let text = try String(contentsOfFile: manifest, encoding: .utf8)
      try Data((text + "d share/clanky-cockpit/old\nf \(old)\nf ../victim\n").utf8).write(
        to: URL(filePath: manifest))
      try Data().write(to: URL(filePath: "\(home.path)/victim"))
      #expect(
        try script("install", ["--prefix", prefix, "--binary", Tool.path]).status == .exited(0))
      #expect(try !files(prefix).contains(old))

      let uninstall = try script("uninstall", ["--prefix", prefix])
      #expect(uninstall.status == .exited(0), "\(uninstall.errorText)")
      #expect(try files(prefix) == before)
      #expect(FileManager.default.fileExists(atPath: "\(home.path)/victim"))
      #expect(try script("uninstall", ["--prefix", prefix]).status == .exited(1))
    }

    @Test("a prefix that was not there is not there afterwards")
    func newPrefix() throws {
      let prefix = "\(home.path)/new"
      #expect(
        try script("install", ["--prefix", prefix, "--binary", Tool.path]).status == .exited(0))
      #expect(try script("uninstall", ["--prefix", prefix]).status == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: prefix))
    }

    @Test("odd arguments are refused", arguments: [["--prefix"], ["--what", "x"], ["x"]])
    func refused(arguments: [String]) throws {
      #expect(try script("install", arguments).status == .exited(2))
    }
  }
}
