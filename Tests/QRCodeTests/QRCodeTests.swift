import Foundation
import JSONTestKit
import Testing

@testable import QRCode

@Suite struct QRCodeTests {
  /// What a program writes on its standard output; nil where it is not installed.
  private func run(_ arguments: [String], input: [UInt8] = []) throws -> [UInt8]? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let (standardInput, output) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = Pipe()
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
    try standardInput.fileHandleForWriting.close()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return process.terminationStatus == 127 ? nil : Array(bytes)
  }

  /// The modules that qrencode makes of the same bytes: `-t ASCII` has two characters for each.
  private func reference(
    _ bytes: [UInt8], _ level: QRCode.Level, _ version: Int
  ) throws -> (side: Int, modules: [Bool])? {
    let name = ["L", "M", "Q", "H"][level.rawValue]
    guard
      let output = try run(
        ["qrencode", "-8", "-l", name, "-v", "\(version)", "-m", "0", "-t", "ASCII", "-o", "-"],
        input: bytes)
    else { return nil }
    let lines = output.split(separator: 0x0A)
    let modules = lines.flatMap { line in
      stride(from: 0, to: line.count, by: 2).map { line[line.startIndex + $0] == UInt8(ascii: "#") }
    }
    return (lines.count, modules)
  }

  /// The mask that the format information names.
  private func mask(_ modules: [Bool], _ side: Int) -> Int {
    let bits = (2...4).reduce(0) { $0 << 1 | (modules[8 * side + $1] ? 1 : 0) }
    return bits ^ 0b101
  }

  @Test("500 random payloads, of each version and level: module by module as qrencode has them")
  func qrencode() throws {
    var random = SeededRandom(18_004)
    var sameMask = 0
    for turn in 0..<500 {
      let level = QRCode.Level.allCases[turn % 4]
      let version = 1 + turn % 40
      let room = Blocks(version: version, level: level).dataBits / 8 - (version < 10 ? 2 : 3)
      let count = turn % 3 == 0 ? room : Int.random(in: 1...room, using: &random)
      // No zero: qrencode reads text.
      let bytes = (0..<count).map { _ in UInt8.random(in: 1...255, using: &random) }
      guard let wanted = try reference(bytes, level, version) else {
        print("skipped: qrencode is not here")
        return
      }
      let own = try #require(QRCode(bytes, level: level, atLeast: version))
      #expect(own.version == version && own.side == wanted.side)
      let mask = mask(wanted.modules, wanted.side)
      if own.mask == mask { sameMask += 1 }
      let same = try #require(QRCode(bytes, level: level, atLeast: version, mask: mask))
      guard same.modules == wanted.modules else {
        Issue.record("turn \(turn): version \(version), level \(level), mask \(mask)")
        return
      }
    }
    // Both choose by the same rules.
    #expect(sameMask >= 495, "\(sameMask)")
  }

  @Test("zbarimg reads what is encoded", arguments: QRCode.Level.allCases)
  func zbar(level: QRCode.Level) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "qr-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for text in [
      "x", "https://gateway.example:18789/pair#c0de", String(repeating: "pairing ", count: 60),
    ] {
      for mask in 0...7 {
        let code = try #require(QRCode(Array(text.utf8), level: level, mask: mask))
        let (width, colors) = code.colors()
        // PGM, four pixels a module.
        var image = Array("P5 \(width * 4) \(width * 4) 255\n".utf8)
        for y in 0..<width * 4 {
          for x in 0..<width * 4 { image.append(UInt8(colors[y / 4 * width + x / 4] & 0xFF)) }
        }
        let file = folder.appending(path: "code.pgm")
        try Data(image).write(to: file)
        guard let read = try run(["zbarimg", "-q", "--raw", "-Sbinary", file.path()]) else {
          print("skipped: zbarimg is not here")
          return
        }
        #expect(String(decoding: read, as: UTF8.self) == text, "level \(level), mask \(mask)")
      }
    }
  }

  @Test("capacities are those of the standard; what is longer has no symbol")
  func capacity() {
    let wanted: [(Int, [Int])] = [
      (1, [17, 14, 11, 7]), (9, [230, 180, 130, 98]), (10, [271, 213, 151, 119]),
      (27, [1_465, 1_125, 805, 625]), (40, [2_953, 2_331, 1_663, 1_273]),
    ]
    for (version, counts) in wanted {
      for (level, count) in zip(QRCode.Level.allCases, counts) {
        let full = [UInt8](repeating: 7, count: count)
        #expect(QRCode(full, level: level, mask: 0)?.version == version)
        let next = QRCode(full + [7], level: level, mask: 0)?.version
        #expect(next == (version == 40 ? nil : version + 1))
      }
    }
    #expect(QRCode([], mask: 8) == nil && QRCode([], atLeast: 41) == nil)
    #expect(QRCode([])?.version == 1)
  }

  @Test("penalties of runs: five and more of a colour, and 1:1:3:1:1 beside light")
  func penalties() {
    #expect(QRMatrix.penalty(ofRuns: [4, 4, 4]) == 0)
    #expect(QRMatrix.penalty(ofRuns: [5, 6, 1]) == 3 + 4)
    #expect(QRMatrix.penalty(ofRuns: [0, 1, 1, 3, 1, 1, 2, 1]) == 40)
    #expect(QRMatrix.penalty(ofRuns: [2, 1, 1, 3, 1, 1, 4, 1]) == 40)
    #expect(QRMatrix.penalty(ofRuns: [0, 1, 2, 1, 1, 3, 1, 1, 2, 1]) == 0)
  }

  @Test("the quiet zone is light, and the symbol in its middle")
  func colors() throws {
    let code = try #require(QRCode(Array("quiet".utf8)))
    let (width, colors) = code.colors(dark: 1, light: 2)
    #expect(width == code.side + 8 && colors.count == width * width)
    for y in 0..<width {
      for x in 0..<width {
        let isInside = (4..<width - 4).contains(x) && (4..<width - 4).contains(y)
        let isDark = isInside && code.modules[(y - 4) * code.side + x - 4]
        #expect(colors[y * width + x] == (isDark ? 1 : 2))
      }
    }
  }
}
