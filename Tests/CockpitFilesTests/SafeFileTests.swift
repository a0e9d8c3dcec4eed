import Foundation
import Testing

@testable import CockpitFiles

@Suite("files for us alone (promises P6, P7)") struct SafeFileTests {
  /// A folder of its own for each test, removed afterwards.
  private func inFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "clanky-files-\(UUID().uuidString)").path()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func write(_ text: String, to path: String, mode: Int) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test("a token file of ours, mode 0600 or stricter, is read and trimmed")
  func token() throws {
    try inFolder { folder in
      for mode in [0o600, 0o400] {
        try write("  secret\n", to: "\(folder)/\(mode)", mode: mode)
        #expect(try TokenFile.read("\(folder)/\(mode)") == "secret")
      }
    }
  }

  @Test("a token file that others can read is refused with the line to run")
  func openToken() throws {
    try inFolder { folder in
      for mode in [0o644, 0o640, 0o604, 0o660, 0o601] {
        let path = "\(folder)/token"
        try write("secret", to: path, mode: mode)
        #expect(
          throws: FileError(
            "the token file '\(path)' can be read by others; run: chmod 600 '\(path)'")
        ) {
          try TokenFile.read(path)
        }
      }
    }
  }

  @Test("a link, a folder, a pipe and nothing at all are no token files, and none is waited for")
  func oddTokens() throws {
    try inFolder { folder in
      try write("secret", to: "\(folder)/real", mode: 0o600)
      try FileManager.default.createSymbolicLink(
        atPath: "\(folder)/link", withDestinationPath: "\(folder)/real")
      mkfifo("\(folder)/pipe", 0o600)
      for (name, word) in [
        ("link", "symbolic link"), (".", "regular file"), ("pipe", "a pipe and no file"),
        ("nothing", "no token file"),
      ] {
        #expect {
          try TokenFile.read("\(folder)/\(name)")
        } throws: {
          "\($0)".contains(word)
        }
      }
    }
  }

  @Test("folders are made 0700 with their parents, and a file in the way is named")
  func folders() throws {
    try inFolder { folder in
      try SafeFile.makeFolder("\(folder)/a/b/c")
      let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/a/b/c")[
        .posixPermissions]
      #expect(mode as? Int == 0o700)
      try SafeFile.makeFolder("\(folder)/a/b/c")
      try write("x", to: "\(folder)/file", mode: 0o600)
      #expect(throws: FileError.self) { try SafeFile.makeFolder("\(folder)/file") }
    }
  }

  @Test("the log is 0600, and no link is followed to write it")
  func log() throws {
    try inFolder { folder in
      let paths = Paths(environment: ["XDG_STATE_HOME": folder], executable: nil)
      let log = try ClientLog.open(paths)
      close(log.descriptor)
      let mode = try FileManager.default.attributesOfItem(atPath: log.path)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      try FileManager.default.removeItem(atPath: log.path)
      try FileManager.default.createSymbolicLink(
        atPath: log.path, withDestinationPath: "\(folder)/target")
      #expect(throws: FileError.self) { try ClientLog.open(paths) }
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/target"))
    }
  }

  @Test("a full log is copied aside once, and what is open for it goes on with the empty one")
  func logRotation() throws {
    try inFolder { folder in
      let paths = Paths(environment: ["XDG_STATE_HOME": folder], executable: nil)
      let log = try ClientLog.open(paths, limit: 100)
      let other = dup(log.descriptor)
      defer {
        close(other)
        close(log.descriptor)
      }
      for number in 0..<12 { log.append(Array("line \(number), of eighteen".utf8)) }
      let old = try String(contentsOfFile: log.path + ".1", encoding: .utf8)
      let new = try String(contentsOfFile: log.path, encoding: .utf8)
      #expect(old.utf8.count <= 100 && new.utf8.count <= 100)
      #expect(new.hasSuffix("line 11, of eighteen\n"))
      #expect((old + new).split(separator: "\n").last == "line 11, of eighteen")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder + "/clanky-cockpit").count == 2)
      let mode = try FileManager.default.attributesOfItem(atPath: log.path + ".1")[
        .posixPermissions]
      #expect(mode as? Int == 0o600)
      // Standard error is such a copy of the descriptor: it writes to the end of what is left.
      _ = Array("from elsewhere\n".utf8).withUnsafeBytes {
        Foundation.write(other, $0.baseAddress, $0.count)
      }
      let whole = try String(contentsOfFile: log.path, encoding: .utf8)
      #expect(whole.hasSuffix("of eighteen\nfrom elsewhere\n"))
    }
  }

  @Test("relative XDG paths are ignored, and the user's themes come first")
  func paths() {
    let paths = Paths(
      environment: ["HOME": "/home/ada", "XDG_CONFIG_HOME": "relative", "XDG_STATE_HOME": "/s"],
      executable: nil)
    #expect(paths.configFile == "/home/ada/.config/clanky-cockpit/config.toml")
    #expect(paths.state == "/s/clanky-cockpit")
    #expect(paths.themeFolders.first == "/home/ada/.config/clanky-cockpit/themes")
    #expect(Paths(environment: [:], executable: nil).configFile == nil)
  }

  @Test("a path that is no UTF-8 counts as not set, which is said")
  func oddPaths() {
    let odd = "/home/caf\u{FFFD}"
    let none = Paths(environment: ["HOME": odd], executable: nil)
    #expect(none.config == nil && none.state == nil && none.cache == nil)
    #expect(!none.data.contains { $0.hasPrefix(odd) })
    #expect(
      none.remedy("XDG_STATE_HOME")
        == "set HOME or XDG_STATE_HOME to a full path; HOME is no UTF-8 text and counts as not set")
    let both = Paths(environment: ["HOME": odd, "XDG_STATE_HOME": odd], executable: nil)
    #expect(
      both.complaint("XDG_STATE_HOME")
        == "HOME and XDG_STATE_HOME are no UTF-8 text and count as not set")
    let home = Paths(environment: ["HOME": "/home/ada", "XDG_STATE_HOME": odd], executable: nil)
    #expect(home.state == "/home/ada/.local/state/clanky-cockpit")
    #expect(home.complaint("XDG_CONFIG_HOME") == nil)
    #expect(
      Paths(environment: [:], executable: nil).remedy("XDG_STATE_HOME")
        == "set HOME or XDG_STATE_HOME to a full path")
  }

  @Test("themes that are installed beside the program are found")
  func prefix() throws {
    let installed = Paths(environment: ["XDG_DATA_DIRS": ""], executable: "/opt/a b/bin/cockpit")
    #expect(installed.data == ["/opt/a b/share/clanky-cockpit"])
    for path in ["/cockpit", "cockpit", ""] {
      #expect(Paths(environment: ["XDG_DATA_DIRS": ""], executable: path).data == [], "\(path)")
    }
    let own = try #require(ProgramFile.path)
    #expect(own.hasPrefix("/") && FileManager.default.isExecutableFile(atPath: own))
    #expect(URL(filePath: own).resolvingSymlinksInPath().path(percentEncoded: false) == own)
  }

  @Test("a token command gives its first line, and its failures are said")
  func tokenCommand() throws {
    #expect(try TokenCommand.run("printf 'one\\ntwo\\n'") == "one")
    #expect(throws: FileError.self) { try TokenCommand.run("exit 3") }
    #expect(throws: FileError.self) { try TokenCommand.run("true") }
  }

  @Test("the nearest word", arguments: [("theem", "theme"), ("glyps", "glyphs"), ("xyzzy", nil)])
  func nearest(word: String, expected: String?) {
    #expect(word.nearest(of: ["theme", "glyphs", "utc"]) == expected)
  }
}
