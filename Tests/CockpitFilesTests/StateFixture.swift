import Foundation
import Testing
import disk_probe

@testable import CockpitFiles

/// A state directory of its own for a test, removed with the fixture.
final class StateFixture {
  /// The folder around it, which stands for XDG_STATE_HOME.
  let home: String
  let state: String

  init() throws {
    home = FileManager.default.temporaryDirectory
      .appending(path: "clanky-state-\(UUID().uuidString)").path()
    state = "\(home)/clanky-cockpit"
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: home) }

  var drafts: String { "\(state)/drafts" }
  var shelf: DraftStore { DraftStore(state: state) }
  var journal: JournalFile { JournalFile(folder: state) }

  /// A draft and lines that are called old, as the operation finds them.
  func prepare(for operation: DiskOperation) throws {
    switch operation {
    case .replace, .remove: try shelf.save(DiskOperation.draft("old"), name: "draft")
    case .setAside:
      try shelf.save(DiskOperation.draft("old"), name: "draft")
      try write("precious", to: "drafts/draft.json.unreadable-1")
    case .append: try journal.append(DiskOperation.line("old"))
    case .rotate:
      for word in oldLines(operation) {
        try JournalFile(folder: state, limit: DiskOperation.smallLimit)
          .append(DiskOperation.line(word))
      }
    }
  }

  func oldLines(_ operation: DiskOperation) -> [String] {
    operation == .rotate ? ["one", "two", "old"] : ["old"]
  }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(state)/\(name)"))
  }

  func bytes(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(state)/\(name)").map(Array.init)
  }

  func names(_ folder: String) -> Set<String> {
    Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
  }

  func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  var temporaries: Set<String> {
    names(drafts).filter { $0.hasPrefix(OwnFolder.temporaryPrefix) }
  }

  /// The words of the lines that are whole.
  func words() throws -> [String] {
    try journal.last(10_000).compactMap {
      let object = try? JSONSerialization.jsonObject(with: Data($0)) as? [String: String]
      guard let word = object?["word"], $0 == DiskOperation.line(word) else { return nil }
      return word
    }
  }

  /// That everything is as before the operation or as after it, and nothing between.
  ///
  /// - Parameter isDone: true when it must be as after it; nil if both are right.
  func expectOldOrNew(
    _ operation: DiskOperation, isFresh: Bool = false, isDone: Bool?, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    func expect(isOld: Bool, isNew: Bool) {
      let isRight = isDone.map { $0 ? isNew : isOld } ?? (isOld || isNew)
      #expect(isRight, comment, sourceLocation: sourceLocation)
    }
    let old = DiskOperation.draft("old")
    switch operation {
    case .replace:
      expect(
        isOld: bytes("drafts/draft.json") == (isFresh ? nil : old),
        isNew: bytes("drafts/draft.json") == DiskOperation.draft("new"))
    case .remove:
      expect(isOld: bytes("drafts/draft.json") == old, isNew: bytes("drafts/draft.json") == nil)
    case .setAside:
      let (first, second) = (
        bytes("drafts/draft.json.unreadable-1"), bytes("drafts/draft.json.unreadable-2")
      )
      #expect(first == Array("precious".utf8), comment, sourceLocation: sourceLocation)
      expect(
        isOld: bytes("drafts/draft.json") == old && (second ?? []).isEmpty,
        isNew: bytes("drafts/draft.json") == nil && second == old)
    case .append, .rotate:
      let before = isFresh ? [] : oldLines(operation)
      let words = try words()
      expect(isOld: words == before, isNew: words == before + ["new"])
    }
  }
}
