import Foundation
import Testing

@testable import CockpitFiles

@Suite("drafts on the disk (promises P7, P8)") struct DraftStoreTests {
  private let now = Int(Date().timeIntervalSince1970)

  @Test("a draft is kept, replaced, listed and removed, readable by its owner only")
  func life() throws {
    let fixture = try StateFixture()
    #expect(try fixture.shelf.list(nowSeconds: now) == DraftStore.Listing())
    #expect(fixture.names(fixture.home).isEmpty, "listing makes nothing")
    try fixture.shelf.save([1], name: "b")
    try fixture.shelf.save([2], name: "a")
    try fixture.shelf.save([3], name: "b")
    let listing = try fixture.shelf.list(nowSeconds: now)
    #expect(listing.drafts.map(\.name) == ["a", "b"])
    #expect(listing.drafts.map(\.bytes) == [[2], [3]])
    #expect(try fixture.mode(fixture.drafts) == 0o700)
    #expect(try fixture.mode("\(fixture.drafts)/a.json") == 0o600)
    try fixture.shelf.remove("a")
    try fixture.shelf.remove("a")
    #expect(fixture.names(fixture.drafts) == ["b.json"])
  }

  @Test(
    "no name leaves the folder, and a listed name is the name",
    arguments: [
      "../../etc/passwd", "", ".", "a/b", ".hidden", "\u{0}", "Ünï", "x\n", "-rf", "UPPER",
      String(repeating: "n", count: 5000), ".clanky-tmp-1", "http://127.0.0.1:8787 42",
    ])
  func names(name: String) throws {
    let fixture = try StateFixture()
    try fixture.shelf.save([1], name: name)
    #expect(fixture.names(fixture.home) == ["clanky-cockpit"])
    #expect(fixture.names(fixture.state) == ["drafts"])
    let listed = try #require(try fixture.shelf.list(nowSeconds: now).drafts.first)
    #expect(listed.bytes == [1])
    #expect(DraftStore.file(listed.name) == DraftStore.file(name))
    try fixture.shelf.save([2], name: listed.name)
    #expect(fixture.names(fixture.drafts).count == 1)
    try fixture.shelf.remove(name)
    #expect(fixture.names(fixture.drafts).isEmpty)
  }

  @Test("names that differ have files that differ, on file systems without case too")
  func distinct() {
    let names = [
      "a", "A", "a/", "a_", "a:", "å", "a b", "a  b", String(repeating: "a", count: 101),
    ]
    #expect(Set(names.map { DraftStore.file($0).lowercased() }).count == names.count)
  }

  @Test("a draft is set aside under a free name and nothing is overwritten")
  func aside() throws {
    let fixture = try StateFixture()
    for number in 1...3 {
      try fixture.shelf.save([UInt8(number)], name: "d")
      #expect(
        try fixture.shelf.setAside("d") == "\(fixture.drafts)/d.json.unreadable-\(number)")
    }
    for number in 1...3 {
      #expect(fixture.bytes("drafts/d.json.unreadable-\(number)") == [UInt8(number)])
    }
    #expect(try fixture.shelf.setAside("d") == nil)
    #expect(fixture.names(fixture.drafts).count == 3)
    #expect(try fixture.shelf.list(nowSeconds: now).drafts.isEmpty)
  }

  @Test("too large and too many are said, and what is there stays")
  func limits() throws {
    let fixture = try StateFixture()
    try fixture.shelf.save([1], name: "d")
    let large = [UInt8](repeating: 0x61, count: DraftStore.sizeLimit + 1)
    #expect(
      throws: FileError(
        "the draft is larger than 256 KiB and is not kept on the disk; shorten it; your text is still in the form"
      )
    ) { try fixture.shelf.save(large, name: "d") }
    #expect(fixture.bytes("drafts/d.json") == [1])
    for number in 1..<DraftStore.countLimit { try fixture.write("x", to: "drafts/\(number).json") }
    #expect(
      throws: FileError(
        "there are 500 unfinished drafts in '\(fixture.drafts)'; send or discard some; your text is still in the form"
      )
    ) { try fixture.shelf.save([1], name: "one-more") }
    try fixture.shelf.save([2], name: "d")
    #expect(fixture.bytes("drafts/d.json") == [2])
  }

  @Test("a link, a pipe, a folder and a giant among the drafts are waited for by nobody")
  func oddities() throws {
    let fixture = try StateFixture()
    try fixture.shelf.save([1], name: "good")
    try Data("secret".utf8).write(to: URL(filePath: "\(fixture.home)/secret"))
    try FileManager.default.createSymbolicLink(
      atPath: "\(fixture.drafts)/link.json", withDestinationPath: "\(fixture.home)/secret")
    mkfifo("\(fixture.drafts)/pipe.json", 0o600)
    try FileManager.default.createDirectory(
      atPath: "\(fixture.drafts)/folder.json", withIntermediateDirectories: false)
    try fixture.write(
      String(repeating: "x", count: DraftStore.sizeLimit + 1), to: "drafts/giant.json")
    let listing = try fixture.shelf.list(nowSeconds: now)
    #expect(listing.problems.isEmpty)
    #expect(listing.drafts.filter { !$0.bytes.isEmpty }.map(\.name) == ["good"])
    for name in ["link", "pipe", "folder"] {
      #expect(throws: FileError.self) { try fixture.shelf.save([2], name: name) }
    }
    for name in ["link", "pipe", "giant"] { try fixture.shelf.setAside(name) }
    #expect(try String(contentsOfFile: "\(fixture.home)/secret", encoding: .utf8) == "secret")
    #expect(fixture.temporaries.isEmpty)
  }
}
