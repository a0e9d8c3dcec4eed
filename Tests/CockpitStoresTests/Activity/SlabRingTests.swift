import Testing

@testable import CockpitStores

@Suite struct SlabRingTests {
  private func row(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number &* 31 &+ $0) }
  }

  @Test(
    "bytes come back as they went in, in blocks of both sizes, large ones and used ones",
    arguments: [4 << 20, 40 << 20])
  func keepsBytes(limit: Int) {
    var ring = SlabRing(limit: limit)
    var places: [Int: (slab: Int, offset: UInt32, count: Int)] = [:]
    for number in 0..<600 {
      let count = number % 97 == 13 ? (2 << 20) + 5000 : 1 + number * 7919 % 60_000
      let bytes = row(number, count)
      if !ring.fits(count) {
        while ring.capacity > 6 << 20 { ring.removeOldest() }
        ring.open(for: count, firstRow: number)
      }
      let place = bytes.withUnsafeBytes { ring.append($0) }
      places[number] = (place.slab, place.offset, count)
      #expect(ring.slab(of: number) == place.slab)
    }
    var read = 0
    for (number, place) in places where place.slab >= ring.firstNumber {
      let bytes = ring.bytes(slab: place.slab, offset: place.offset, count: UInt32(place.count))
      #expect(bytes.elementsEqual(row(number, place.count)), "row \(number)")
      read += 1
    }
    #expect(read > 10)
    ring.removeAll()
    #expect(ring.isEmpty && ring.capacity == 0 && ring.used == 0)
  }
}

@Suite struct TwinIndexTests {
  @Test("rows with one hash, with one place and with one tag are told apart by who asks")
  func collisions() {
    var index = TwinIndex()
    // High bits choose the slot, low ones the tag: equal in one, in the other, in both.
    let hashes: [UInt32] = [0, 1, 0x100, 0x8000_0000, 0x8000_0100, 0xFFFF_FFFF, 0xFFFF_FF00, 0, 1]
    for (row, hash) in hashes.enumerated() {
      index.insert(row, hash: hash, first: 0) { hashes[$0] }
    }
    for (row, hash) in hashes.enumerated() {
      #expect(index.find(hash, first: 0, end: hashes.count) { $0 == row } == row)
      #expect(index.find(hash, first: 0, end: hashes.count) { _ in false } == nil)
    }
  }

  @Test("rows are found while they are retained and not after, however often the table is rebuilt")
  func window() {
    var index = TwinIndex()
    let hashOf = { (row: Int) in UInt32(truncatingIfNeeded: row &* 2_654_435_761) }
    for row in 0..<60_000 {
      let first = max(0, row - 3_000)
      index.insert(row, hash: hashOf(row), first: first, hashOf: hashOf)
      for old in [row, row - 1, first] where old >= first {
        #expect(index.find(hashOf(old), first: first, end: row + 1) { $0 == old } == old)
      }
    }
    #expect(index.count(of: 57_000..<60_000) == 3_000)
  }
}
