import Foundation
import Testing
import disk_probe

@testable import CockpitFiles

/// Each call of each operation fails in turn: the old content stands or the new one is there, no
/// temporary file is left, no descriptor stays open, and a sentence says what to do (promise P7).
@Suite("disk: each call fails (promise P7)") struct DiskFaultTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var operation: DiskOperation
    var isFresh: Bool
    var testDescription: String { "\(operation)\(isFresh ? " in a new folder" : "")" }
  }

  static let cases =
    DiskOperation.allCases.map { Case(operation: $0, isFresh: false) }
    + [DiskOperation.replace, .append].map { Case(operation: $0, isFresh: true) }

  /// Each call with each event, on a state directory of its own.
  private func forEachCall(
    of test: Case, _ events: [ScriptedDisk.Event],
    where isOfInterest: (String) -> Bool = { _ in true },
    _ check: (StateFixture, ScriptedDisk, FileError?, Comment) throws -> Void
  ) throws {
    let dry = ScriptedDisk()
    let fixture = try StateFixture()
    if !test.isFresh { try fixture.prepare(for: test.operation) }
    try test.operation.run(in: fixture.state, disk: dry)
    #expect(dry.openDescriptors.isEmpty)
    let isTested = dry.calls.contains(where: isOfInterest)
    #expect(isTested)
    for (index, call) in dry.calls.enumerated() where isOfInterest(call) {
      for event in events {
        let fixture = try StateFixture()
        if !test.isFresh { try fixture.prepare(for: test.operation) }
        let disk = ScriptedDisk(at: index, event)
        let result = Result { () throws(FileError) in
          try test.operation.run(in: fixture.state, disk: disk)
        }
        let error: FileError? = if case .failure(let error) = result { error } else { nil }
        let comment: Comment = "call \(index), \(call): \(event)"
        #expect(disk.openDescriptors.isEmpty, comment)
        #expect(fixture.temporaries.isEmpty, comment)
        try check(fixture, disk, error, comment)
        // And the next one works.
        if test.operation == .replace {
          try test.operation.run(in: fixture.state, disk: SystemDisk())
          try fixture.expectOldOrNew(test.operation, isDone: true, comment)
        }
      }
    }
  }

  @Test("a call that fails, once or for good", arguments: cases)
  func failures(test: Case) throws {
    try forEachCall(of: test, [.failure(EIO), .lastingFailure(ENOSPC)]) {
      fixture, disk, error, comment in
      guard let error else {
        return try fixture.expectOldOrNew(
          test.operation, isFresh: test.isFresh, isDone: true, comment)
      }
      // Only the sync of the folder comes after a rename or a removal.
      let isAfterwards =
        disk.calls.last { $0 != "close" } == "sync"
        && [.replace, .setAside, .remove].contains(test.operation)
      try fixture.expectOldOrNew(
        test.operation, isFresh: test.isFresh, isDone: isAfterwards ? nil : false, comment)
      let words = ["the disk is full; free some space", "the disk reports an error; check it"]
      #expect(words.contains { error.description.contains($0) }, "\(error)")
      #expect(error.description.contains(fixture.state), "\(error)")
      if test.operation == .replace {
        #expect(error.description.hasSuffix("your text is still in the form"), "\(error)")
      }
    }
  }

  @Test("a signal in the middle of a call is no failure", arguments: cases)
  func interrupted(test: Case) throws {
    // The others do not know EINTR (POSIX).
    let calls: Set = [
      "open", "write", "sync", "lock", "rename", "read", "names", "close", "remove",
    ]
    try forEachCall(of: test, [.failure(EINTR)], where: calls.contains) {
      fixture, _, error, comment in
      #expect(error == nil, comment)
      try fixture.expectOldOrNew(
        test.operation, isFresh: test.isFresh, isDone: true, comment)
    }
  }

  @Test(
    "a write that does half of its work is finished", arguments: [DiskOperation.replace, .append])
  func shortWrite(operation: DiskOperation) throws {
    let test = Case(operation: operation, isFresh: false)
    try forEachCall(of: test, [.shortWrite], where: { $0 == "write" }) {
      fixture, _, error, comment in
      #expect(error == nil, comment)
      try fixture.expectOldOrNew(operation, isDone: true, comment)
    }
  }

  @Test(
    "a disk that is full in the middle of a write keeps the old content",
    arguments: [DiskOperation.replace, .append, .rotate])
  func full(operation: DiskOperation) throws {
    let test = Case(operation: operation, isFresh: false)
    try forEachCall(of: test, [.full(ENOSPC), .full(EDQUOT)], where: { $0 == "write" }) {
      fixture, _, error, comment in
      #expect(error?.description.contains("free some space") == true, comment)
      try fixture.expectOldOrNew(operation, isDone: false, comment)
      // Not only are the lines whole: nothing of the half line is in the file.
      #expect(try fixture.journal.last(100).count == fixture.words().count, comment)
    }
  }

  @Test("a temporary file that cannot even be removed harms nobody and is swept another day")
  func stuckTemporary() throws {
    let fixture = try StateFixture()
    try fixture.prepare(for: .replace)
    let dry = ScriptedDisk()
    try DiskOperation.replace.run(in: fixture.state, disk: dry)
    let rename = try #require(dry.calls.firstIndex(of: "rename"))
    try fixture.prepare(for: .replace)
    let disk = ScriptedDisk(at: rename, .failure(EIO), alsoFailing: "remove")
    #expect(throws: FileError.self) {
      try DiskOperation.replace.run(in: fixture.state, disk: disk)
    }
    try fixture.expectOldOrNew(.replace, isDone: false, "")
    #expect(fixture.temporaries.count == 1)
    let now = Int(Date().timeIntervalSince1970)
    _ = try fixture.shelf.list(nowSeconds: now + 3600)
    #expect(fixture.temporaries.count == 1)
    #expect(try fixture.shelf.list(nowSeconds: now + 90_000).drafts.map(\.name) == ["draft"])
    #expect(fixture.temporaries.isEmpty)
  }

  @Test("a lock that nobody gives back is not waited for without end")
  func lock() throws {
    let fixture = try StateFixture()
    try fixture.prepare(for: .append)
    let dry = ScriptedDisk()
    try DiskOperation.append.run(in: fixture.state, disk: dry)
    let lock = try #require(dry.calls.firstIndex(of: "lock"))
    let disk = ScriptedDisk(at: lock, .lastingFailure(EWOULDBLOCK))
    #expect {
      try DiskOperation.append.run(in: fixture.state, disk: disk)
    } throws: {
      "\($0)".hasPrefix("another clanky-cockpit has been writing the journal")
    }
    #expect(disk.openDescriptors.isEmpty)
    let unable = ScriptedDisk(at: lock, .failure(ENOLCK))
    #expect {
      try DiskOperation.append.run(in: fixture.state, disk: unable)
    } throws: {
      "\($0)".contains("set XDG_STATE_HOME to a folder on a local disk")
    }
  }

  @Test("a journal that cannot be renamed grows for a while, and then says so")
  func stuckRotation() throws {
    let fixture = try StateFixture()
    try fixture.prepare(for: .rotate)
    let before = try fixture.words().count
    let dry = ScriptedDisk()
    try DiskOperation.rotate.run(in: fixture.state, disk: dry)
    let rename = try #require(dry.calls.firstIndex(of: "rename"))
    var error: FileError?
    var count = 0
    while error == nil, count < 100 {
      let disk = ScriptedDisk(at: rename, .lastingFailure(EIO))
      do throws(FileError) {
        try DiskOperation.rotate.run(in: fixture.state, disk: disk)
        count += 1
      } catch let failure { error = failure }
    }
    #expect(error?.description.contains("is full and cannot be renamed") == true)
    #expect(try fixture.words().count == before + 1 + count)
  }
}
