import Foundation
import Testing
import disk_probe

@testable import CockpitFiles

@Suite("locks between runs of the program (promise P8)") struct ChangeLocksTests {
  let fixture: StateFixture

  init() throws { fixture = try StateFixture() }

  @Test("one has a thing at a time, and it is free when its owner is gone")
  func exclusive() throws {
    var first: ChangeLocks? = ChangeLocks(folder: fixture.state)
    let second = ChangeLocks(folder: fixture.state)
    #expect(try first?.take("fact-1") == true)
    #expect(try !second.take("fact-1"))
    #expect(try second.take("fact-2"))
    #expect(try first?.take("fact-2") == false)
    first?.giveBack("fact-1")
    #expect(try second.take("fact-1"))
    second.giveBack("fact-1")
    #expect(try first?.take("fact-1") == true)
    first = nil
    #expect(try second.take("fact-1"))
  }

  @Test("the file is empty and private")
  func file() throws {
    let locks = ChangeLocks(folder: fixture.state)
    #expect(try locks.take("fact-1"))
    let attributes = try FileManager.default.attributesOfItem(
      atPath: "\(fixture.state)/\(ChangeLocks.name)")
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int == 0)
  }

  @Test("a link in its place is not followed, and a disk that cannot lock is said")
  func faults() throws {
    try FileManager.default.createDirectory(
      atPath: fixture.state, withIntermediateDirectories: true)
    let path = "\(fixture.state)/\(ChangeLocks.name)"
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: "\(fixture.state)/elsewhere")
    #expect(throws: FileError.self) { try ChangeLocks(folder: fixture.state).take("fact-1") }
    #expect(!FileManager.default.fileExists(atPath: "\(fixture.state)/elsewhere"))
    try FileManager.default.removeItem(atPath: path)
    let dry = ScriptedDisk()
    #expect(try ChangeLocks(folder: fixture.state, disk: dry).take("fact-1"))
    #expect(dry.openDescriptors.isEmpty)
    let lock = try #require(dry.calls.firstIndex(of: "lock"))
    let disk = ScriptedDisk(at: lock, .failure(ENOLCK))
    #expect {
      try ChangeLocks(folder: fixture.state, disk: disk).take("fact-1")
    } throws: {
      "\($0)".contains("cannot be locked")
    }
  }
}
