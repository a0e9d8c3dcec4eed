import Foundation
import Testing

@testable import CockpitFiles

@Suite("cache (promise P7)") struct CacheDirectoryTests {
  private let folder: String
  private let shelf: CacheDirectory

  init() {
    folder = FileManager.default.temporaryDirectory.appending(path: "cache-\(UUID())/own")
      .path(percentEncoded: false)
    shelf = CacheDirectory(folder: folder)
  }

  private func remove() {
    try? FileManager.default.removeItem(
      at: URL(filePath: folder).deletingLastPathComponent())
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test("what was saved is loaded, for our eyes only")
  func save() throws {
    defer { remove() }
    #expect(try shelf.load("a") == nil)
    try shelf.save([1, 2, 3], name: "a")
    try shelf.save([4], name: "a")
    #expect(try shelf.load("a") == [4])
    #expect(try mode("\(folder)/a") == 0o600)
    #expect(try mode(folder) == 0o700)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a"])
  }

  @Test("a file is set aside once, not in ever new copies")
  func aside() throws {
    defer { remove() }
    try shelf.setAside("a")
    for byte in [1, 2] as [UInt8] {
      try shelf.save([byte], name: "a")
      try shelf.setAside("a")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.unreadable"])
    #expect(try shelf.load("a.unreadable") == [2])
  }

  @Test("one claims, the others do not wait")
  func claim() throws {
    defer { remove() }
    let claim = try #require(try shelf.claim("a"))
    #expect(try shelf.claim("a") == nil)
    #expect(try shelf.claim("b") != nil)
    claim.release()
    let again = try #require(try shelf.claim("a"))
    again.release()
  }

  @Test("a link, a folder or a giant in its place is an error that names the cache")
  func oddities() throws {
    defer { remove() }
    try shelf.save([1], name: "a")
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/link", withDestinationPath: "\(folder)/a")
    try FileManager.default.createDirectory(
      atPath: "\(folder)/folder", withIntermediateDirectories: false)
    try Data(count: CacheDirectory.sizeLimit + 1).write(to: URL(filePath: "\(folder)/giant"))
    for name in ["link", "folder", "giant"] {
      #expect(throws: FileError.self) { try shelf.load(name) }
    }
    let blocked = CacheDirectory(folder: "\(folder)/a")
    #expect {
      try blocked.save([1], name: "x")
    } throws: {
      !"\($0)".contains("XDG_STATE_HOME")
    }
  }
}
