import Testing

@testable import CockpitDemo

@Suite("gateway frames") struct GatewayFrameTests {
  private func masked(_ head: UInt8, _ payload: [UInt8], claims: Int? = nil) -> [UInt8] {
    let size = claims ?? payload.count
    var out: [UInt8] = [head]
    if size < 126 {
      out.append(0x80 | UInt8(size))
    } else if size < 65_536 {
      out += [0x80 | 126, UInt8(size >> 8), UInt8(size & 0xFF)]
    } else {
      out.append(0x80 | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        out.append(UInt8(truncatingIfNeeded: size >> shift))
      }
    }
    let mask: [UInt8] = [9, 200, 77, 4]
    return out + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  private func events(_ bytes: [UInt8], piece: Int) -> [ClientFrameReader.Event] {
    var reader = ClientFrameReader(limit: 100_000)
    var out: [ClientFrameReader.Event] = []
    for at in stride(from: 0, to: bytes.count, by: piece) {
      reader.append(Array(bytes[at..<min(at + piece, bytes.count)]))
      while let event = reader.next() { out.append(event) }
    }
    return out
  }

  @Test("the same events out of any pieces", arguments: [1, 7, 1 << 20])
  func pieces(piece: Int) {
    let long = [UInt8](repeating: 0x61, count: 70_000)
    let bytes =
      masked(0x01, Array("gré".utf8.prefix(3))) + masked(0x89, [1, 2])
      + masked(0x80, Array("gré".utf8.suffix(1))) + masked(0x81, long) + masked(0x8A, [])
      + masked(0x82, [0xFF]) + masked(0x88, [0x03, 0xE8])
    #expect(
      events(bytes, piece: piece) == [
        .ping([1, 2]), .message(Array("gré".utf8), isText: true), .message(long, isText: true),
        .pong, .message([0xFF], isText: false), .close(1000),
      ])
  }

  @Test("breaches are told before a body is awaited, and nothing is read after one")
  func breaches() {
    let cases: [([UInt8], UInt16)] = [
      ([0x81, 0x01, 0x61], 1002), (masked(0xC1, [1]), 1002), (masked(0x09, [1]), 1002),
      (masked(0x89, [], claims: 126), 1002), (masked(0x80, [1]), 1002), (masked(0x83, []), 1002),
      (masked(0x01, [0x61]) + masked(0x81, [0x61]), 1002),
      (masked(0x81, [], claims: 100_001), 1009), (masked(0x81, [0xC3, 0x28]), 1007),
      ([0x81, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4], 1002),
    ]
    for (bytes, code) in cases {
      #expect(events(bytes + masked(0x81, [0x61]), piece: 5) == [.breach(code)], "\(bytes)")
    }
  }
}
