import Foundation
import TOML
import Testing

@testable import CockpitFiles

/// Writing to the file itself.
@Suite("configuration file (promise P7)") struct ConfigurationFileTests {
  private let root: String

  init() throws {
    root = FileManager.default.temporaryDirectory.appending(path: "config-\(UUID())").path()
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
  }

  private func mode(_ path: String) throws -> Int {
    try #require(
      FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
  }

  private func write(_ text: String, to path: String) throws {
    try text.write(toFile: path, atomically: false, encoding: .utf8)
  }

  @Test("a missing file is made, 0600 in 0700, and changed afterwards")
  func fresh() throws {
    let path = "\(root)/home/clanky-cockpit/config.toml"
    try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
      try edit.set("theme", .string("mono"))
    }
    #expect(try mode(path) == 0o600)
    #expect(try mode("\(root)/home/clanky-cockpit") == 0o700)
    try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
      try edit.set("utc", .bool(true))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "theme = \"mono\"\nutc = true\n")
  }

  @Test("a folder that is not ours keeps its mode")
  func foreignFolder() throws {
    let path = "\(root)/config.toml"
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: root)
    try write("# mine\n", to: path)
    try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
      try edit.set("utc", .bool(true))
    }
    #expect(try mode(root) == 0o755)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "# mine\n\nutc = true\n")
  }

  @Test("a symbolic link is neither replaced nor written through")
  func link() throws {
    let (path, target) = ("\(root)/config.toml", "\(root)/dotfiles.toml")
    try write("utc = true\n", to: target)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    #expect {
      try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
        try edit.set("utc", .bool(false))
      }
    } throws: {
      "\($0)".contains("is a symbolic link") && "\($0)".contains("--config")
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "utc = true\n")
  }

  @Test("a file that somebody changed meanwhile is left to them")
  func raced() throws {
    let path = "\(root)/config.toml"
    try write("utc = true\n", to: path)
    #expect {
      try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
        try edit.set("utc", .bool(false))
        do {
          try write("# theirs\n", to: path)
        } catch {
          throw TOMLEditError("\(error)")
        }
      }
    } throws: {
      "\($0)".hasSuffix("was changed by somebody else meanwhile; try again")
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "# theirs\n")
  }

  @Test("a broken file is left as it is")
  func broken() throws {
    let path = "\(root)/config.toml"
    for text in ["theme = \n", "a = 1\na = 2\n"] {
      try write(text, to: path)
      #expect {
        try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
          try edit.set("utc", .bool(false))
        }
      } throws: {
        "\($0)".contains("is not changed: line ")
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }
  }

  @Test("no temporary file is left, and nothing is written when nothing changes")
  func tidy() throws {
    let path = "\(root)/config.toml"
    try write("utc = true\n", to: path)
    let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    try ConfigurationFile.update(path: path) { edit throws(TOMLEditError) in
      try edit.set("utc", .bool(true))
    }
    let after = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
    #expect(before == after)
    #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["config.toml"])
  }
}
