import Foundation
import Testing
import disk_probe

@testable import CockpitFiles

/// State directories that are not what they should be. Tests may run as root, whom no mode stops:
/// what refuses is a file in the way, or a disk that fails on purpose.
@Suite("the place of the state (promise P7)") struct StatePlaceTests {
  private func expectRefusal(
    _ fixture: StateFixture, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(sourceLocation: sourceLocation) {
      try fixture.shelf.save([1], name: "d")
    } throws: {
      "\($0)".contains(words) && "\($0)".hasSuffix("your text is still in the form")
    }
    #expect(sourceLocation: sourceLocation) {
      try fixture.journal.append(Array("{}".utf8))
    } throws: {
      "\($0)".contains(words)
    }
  }

  @Test("a file in the place of the folder")
  func file() throws {
    let fixture = try StateFixture()
    try Data("mine".utf8).write(to: URL(filePath: fixture.state))
    expectRefusal(fixture, "is in the way: it is not a folder; move it away")
    #expect(try String(contentsOfFile: fixture.state, encoding: .utf8) == "mine")
    #expect {
      try JournalFile(folder: "\(fixture.state)/below").append(Array("{}".utf8))
    } throws: {
      "\($0)".contains("a folder above it is a file; move it away")
    }
  }

  @Test("a pipe in the place of the folder, and of the journal")
  func pipe() throws {
    let fixture = try StateFixture()
    mkfifo(fixture.state, 0o600)
    expectRefusal(fixture, "is in the way: it is not a folder; move it away")
    let other = try StateFixture()
    try SafeFile.makeFolder(other.state)
    mkfifo("\(other.state)/journal.jsonl", 0o600)
    #expect(throws: FileError("'\(other.state)/journal.jsonl' is not a regular file; move it away"))
    {
      try other.journal.append(Array("{}".utf8))
    }
    #expect(throws: FileError.self) { try other.journal.last(1) }
  }

  @Test("a link in the place of the folder is not followed")
  func link() throws {
    let fixture = try StateFixture()
    let target = "\(fixture.home)/elsewhere"
    try SafeFile.makeFolder(target)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.state, withDestinationPath: target)
    expectRefusal(fixture, "is a symbolic link, which is not followed; put a folder there")
    #expect(throws: FileError.self) { try fixture.shelf.list(nowSeconds: 0) }
    #expect(fixture.names(target).isEmpty)
    // A link above it is the user's own business.
    try FileManager.default.removeItem(atPath: fixture.state)
    try FileManager.default.createSymbolicLink(
      atPath: "\(fixture.home)/alias", withDestinationPath: target)
    try JournalFile(folder: "\(fixture.home)/alias/clanky-cockpit").append(Array("{}".utf8))
    #expect(fixture.names(target) == ["clanky-cockpit"])
  }

  @Test("a link in the place of the journal, its lock or a draft is not followed")
  func linkedFiles() throws {
    let fixture = try StateFixture()
    try fixture.shelf.save([1], name: "other")
    let target = "\(fixture.home)/target"
    for name in ["journal.jsonl", "journal.lock", "drafts/d.json"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(fixture.state)/\(name)", withDestinationPath: target)
    }
    #expect(throws: FileError.self) { try fixture.journal.append(Array("{}".utf8)) }
    #expect {
      try fixture.shelf.save([1], name: "d")
    } throws: {
      "\($0)".contains("it is a symbolic link, which is not followed; move it away")
    }
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test("folders and files that others could read are closed to them")
  func modes() throws {
    let fixture = try StateFixture()
    try fixture.shelf.save([1], name: "d")
    try fixture.journal.append(Array("{}".utf8))
    let manager = FileManager.default
    for path in [fixture.state, fixture.drafts] {
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    }
    try manager.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: "\(fixture.state)/journal.jsonl")
    try fixture.shelf.save([2], name: "d")
    try fixture.journal.append(Array("{}".utf8))
    #expect(try fixture.mode(fixture.state) == 0o700)
    #expect(try fixture.mode(fixture.drafts) == 0o700)
    #expect(try fixture.mode("\(fixture.state)/journal.jsonl") == 0o600)
  }

  @Test("a link or a file in the place of the folder with the drafts")
  func draftsFolder() throws {
    let fixture = try StateFixture()
    try SafeFile.makeFolder(fixture.state)
    try SafeFile.makeFolder("\(fixture.home)/target")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.drafts, withDestinationPath: "\(fixture.home)/target")
    #expect(throws: FileError.self) { try fixture.shelf.save([1], name: "d") }
    #expect(fixture.names("\(fixture.home)/target").isEmpty)
    try FileManager.default.removeItem(atPath: fixture.drafts)
    try fixture.write("mine", to: "drafts")
    #expect(throws: FileError.self) { try fixture.shelf.save([1], name: "d") }
    #expect(fixture.bytes("drafts") == Array("mine".utf8))
  }

  @Test("a folder of somebody else is refused", .enabled(if: geteuid() == 0))
  func somebodyElse() throws {
    let fixture = try StateFixture()
    try SafeFile.makeFolder(fixture.state)
    chown(fixture.state, 65_534, 65_534)
    expectRefusal(fixture, "belongs to somebody else; set XDG_STATE_HOME to a folder of your own")
    #expect(fixture.names(fixture.state).isEmpty)
  }

  @Test(
    "a disk on which nothing may be written",
    arguments: [
      (EROFS, "the file system is read-only"), (EACCES, "check owner and mode"),
      (EMFILE, "too many files are open"), (EDQUOT, "your share of the disk is used up"),
    ])
  func refused(code: Int32, words: String) throws {
    let fixture = try StateFixture()
    let fresh = ScriptedDisk(at: 1, .lastingFailure(code))  // mkdir
    #expect {
      try JournalFile(folder: fixture.state, disk: fresh).append(Array("{}".utf8))
    } throws: {
      "\($0)".contains(words)
    }
    try fixture.shelf.save([1], name: "d")
    let dry = ScriptedDisk()
    try DraftStore(state: fixture.state, disk: dry).save([1], name: "d")
    let opens = dry.calls.indices.filter { dry.calls[$0] == "open" }
    let creating = try #require(opens.last)
    let disk = ScriptedDisk(at: creating, .failure(code))
    #expect {
      try DraftStore(state: fixture.state, disk: disk).save([2], name: "d")
    } throws: {
      "\($0)".contains(words)
    }
    #expect(fixture.bytes("drafts/d.json") == [1])
  }

  @Test("what can be read is read from a disk that is read-only")
  func readOnly() throws {
    let fixture = try StateFixture()
    try fixture.shelf.save([1], name: "d")
    try fixture.journal.append(Array("{}".utf8))
    let dry = ScriptedDisk()
    _ = try JournalFile(folder: fixture.state, disk: dry).last(1)
    let lock = try #require(dry.calls.indices.filter { dry.calls[$0] == "open" }.dropFirst().first)
    let disk = ScriptedDisk(at: lock, .failure(EROFS))
    #expect(try JournalFile(folder: fixture.state, disk: disk).last(1) == [Array("{}".utf8)])
    #expect(disk.openDescriptors.isEmpty)
    let stuck = ScriptedDisk(alsoFailing: "remove")
    let listing = try DraftStore(state: fixture.state, disk: stuck).list(nowSeconds: 0)
    #expect(listing.drafts.map(\.bytes) == [[1]])
  }

  @Test("a draft that cannot be read is named, and the others are there")
  func unreadable() throws {
    let fixture = try StateFixture()
    try fixture.shelf.save([1], name: "a")
    try fixture.shelf.save([2], name: "b")
    let dry = ScriptedDisk()
    _ = try DraftStore(state: fixture.state, disk: dry).list(nowSeconds: 0)
    let read = try #require(dry.calls.firstIndex(of: "read"))
    let disk = ScriptedDisk(at: read, .failure(EIO))
    let listing = try DraftStore(state: fixture.state, disk: disk).list(nowSeconds: 0)
    #expect(listing.drafts.map(\.name) == ["b"])
    #expect(
      listing.problems == [
        FileError(
          "'\(fixture.drafts)/a.json' cannot be read: the disk reports an error; check it and its cables"
        )
      ])
    #expect(disk.openDescriptors.isEmpty)
  }

  @Test("without HOME there is no state directory, and no log")
  func noHome() {
    for environment in [[:], ["HOME": "relative"], ["HOME": ""]] {
      let paths = Paths(environment: environment, executable: nil)
      #expect(paths.state == nil)
      #expect(throws: FileError.self) { try ClientLog.open(paths) }
    }
  }

  @Test("a temporary file is whole or not there")
  func temporary() throws {
    let path = try SafeFile.writeTemporary([1, 2, 3, 4], suffix: ".test")
    #expect(FileManager.default.contents(atPath: path) == Data([1, 2, 3, 4]))
    SafeFile.remove(path)
    let short = ScriptedDisk(at: 1, .shortWrite)
    let whole = try SafeFile.writeTemporary([1, 2, 3, 4], suffix: ".test", disk: short)
    #expect(FileManager.default.contents(atPath: whole) == Data([1, 2, 3, 4]))
    SafeFile.remove(whole)
    let suffix = ".test-\(UUID().uuidString)"
    #expect {
      try SafeFile.writeTemporary(
        [1, 2, 3, 4], suffix: suffix, disk: ScriptedDisk(at: 1, .full(ENOSPC)))
    } throws: {
      "\($0)".contains("the disk is full; free some space")
    }
    let left = try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path())
    #expect(!left.contains { $0.hasSuffix(suffix) })
  }
}
