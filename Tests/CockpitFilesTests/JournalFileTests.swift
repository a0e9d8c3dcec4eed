import Foundation
import Testing

@testable import CockpitFiles

@Suite("journal (promises P7, P8)") struct JournalFileTests {
  private func text(_ lines: [[UInt8]]) -> [String] {
    lines.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("lines come back in order, the last ones only, and the files are ours alone")
  func order() throws {
    let fixture = try StateFixture()
    #expect(try fixture.journal.last(5).isEmpty)
    #expect(fixture.names(fixture.home).isEmpty, "reading makes nothing")
    for number in 0..<10 { try fixture.journal.append(Array("{\"n\":\(number)}".utf8)) }
    #expect(text(try fixture.journal.last(3)) == ["{\"n\":7}", "{\"n\":8}", "{\"n\":9}"])
    #expect(try fixture.journal.last(100).count == 10)
    #expect(try fixture.journal.last(0).isEmpty)
    #expect(try fixture.mode(fixture.state) == 0o700)
    #expect(try fixture.mode("\(fixture.state)/journal.jsonl") == 0o600)
    #expect(try fixture.mode("\(fixture.state)/journal.lock") == 0o600)
  }

  @Test("after half a line of a killed writer the next one begins on a line of its own")
  func torn() throws {
    let fixture = try StateFixture()
    try fixture.journal.append(Array("{\"n\":1}".utf8))
    try fixture.write("{\"n\":1}\n{\"n\":2", to: "journal.jsonl")
    #expect(text(try fixture.journal.last(1)) == ["{\"n\":2"])
    try fixture.journal.append(Array("{\"n\":3}".utf8))
    #expect(text(try fixture.journal.last(5)) == ["{\"n\":1}", "{\"n\":2", "{\"n\":3}"])
  }

  @Test("long lines across the blocks of the reader, in three files")
  func blocks() throws {
    let fixture = try StateFixture()
    let journal = JournalFile(folder: fixture.state, limit: 400_000)
    let lines = (0..<12).map { Array(String(repeating: "\($0) ", count: 30_000).utf8) }
    for line in lines { try journal.append(line) }
    #expect(fixture.bytes("journal.1.jsonl") != nil)
    for count in [1, 2, 7, 12, 13] {
      #expect(try journal.last(count) == Array(lines.suffix(count)))
    }
  }

  @Test("three full files are kept, and a gap in their numbers is filled first")
  func rotation() throws {
    let fixture = try StateFixture()
    let journal = JournalFile(folder: fixture.state, limit: 8)
    for number in 0..<6 { try journal.append(Array("{\"n\":\(number)}".utf8)) }
    #expect(text(try journal.last(9)) == (2...5).map { "{\"n\":\($0)}" })
    try FileManager.default.removeItem(atPath: "\(fixture.state)/journal.2.jsonl")
    try journal.append(Array("{\"n\":6}".utf8))
    #expect(text(try journal.last(9)) == [2, 4, 5, 6].map { "{\"n\":\($0)}" })
  }

  @Test("what is no line is refused")
  func noLine() throws {
    let fixture = try StateFixture()
    for bytes in [
      [], Array("a\nb".utf8), [UInt8](repeating: 0x61, count: JournalFile.lineLimit + 1),
    ] {
      #expect(throws: FileError.self) { try fixture.journal.append(bytes) }
    }
    #expect(fixture.names(fixture.home).isEmpty)
  }

  @Test("a journal of gigabytes is read from its end")
  func large() throws {
    let fixture = try StateFixture()
    try fixture.journal.append(Array("{}".utf8))
    let handle = try #require(FileHandle(forWritingAtPath: "\(fixture.state)/journal.jsonl"))
    try handle.truncate(atOffset: 4 << 30)  // a hole: it takes no room
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\n{\"n\":1}\n{\"n\":2}\n".utf8))
    try handle.close()
    #expect(text(try fixture.journal.last(2)) == ["{\"n\":1}", "{\"n\":2}"])
    // The line before is too long to be one of ours, and is not held in memory.
    #expect(text(try fixture.journal.last(3)) == ["{\"n\":1}", "{\"n\":2}"])
  }
}
