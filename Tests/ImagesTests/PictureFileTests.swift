import Foundation
import Images
import JSONTestKit
import Testing

@Suite struct PictureFileTests {
  private func random(_ width: Int, _ height: Int, seed: UInt64 = 1) throws -> Picture {
    var random = SeededRandom(seed)
    return try #require(
      Picture(
        width: width, height: height,
        rgba: (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &random) }))
  }

  /// Red, green and blue of the pixel at a place, and its alpha.
  private func pixel(_ picture: Picture, _ x: Int, _ y: Int) -> [UInt8] {
    Array(picture.rgba[(y * picture.width + x) * 4..<(y * picture.width + x + 1) * 4])
  }

  @Test("PNG: every colour type is decoded to the pixels that were written")
  func pngTypes() throws {
    let rgba = try random(13, 7)
    #expect(try PictureFile.decode(Samples.png(rgba)) == rgba)
    let grey = try PictureFile.decode(
      Samples.png(width: 3, height: 1, colorType: 0, rows: [[0, 100, 255]]))
    #expect(grey.rgba == [0, 0, 0, 255, 100, 100, 100, 255, 255, 255, 255, 255])
    let bits = try PictureFile.decode(
      Samples.png(width: 4, height: 1, bits: 1, colorType: 0, rows: [[0b0110_0000]]))
    #expect((0..<4).map { bits.rgba[$0 * 4] } == [0, 255, 255, 0])
    let palette = try PictureFile.decode(
      Samples.png(
        width: 2, height: 1, colorType: 3, palette: [1, 2, 3, 4, 5, 6], transparency: [9],
        rows: [[1, 0]]))
    #expect(palette.rgba == [4, 5, 6, 255, 1, 2, 3, 9])
    let deep = try PictureFile.decode(
      Samples.png(width: 1, height: 1, bits: 16, colorType: 2, rows: [[10, 0, 20, 0, 30, 0]]))
    #expect(deep.rgba == [10, 20, 30, 255])
    let greyAlpha = try PictureFile.decode(
      Samples.png(width: 1, height: 1, colorType: 4, rows: [[77, 8]]))
    #expect(greyAlpha.rgba == [77, 77, 77, 8])
  }

  @Test("PNG in passes: the pixels are those of the file")
  func interlaced() throws {
    // 2 x 2 in Adam7: pass 1 has (0, 0), pass 6 (1, 0), pass 7 the second row.
    let rows: [[UInt8]] = [
      [1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 255, 10, 11, 12, 255],
    ]
    let picture = try PictureFile.decode(
      Samples.png(width: 2, height: 2, isInterlaced: true, rows: rows))
    #expect(picture.rgba == rows.flatMap { $0 })
  }

  @Test("JPEG and WebP: red at the left, blue at the right")
  func otherFormats() throws {
    for file in [Samples.jpeg, Samples.webp] {
      let picture = try PictureFile.decode(file)
      #expect((picture.width, picture.height) == (16, 8))
      let (left, right) = (pixel(picture, 2, 4), pixel(picture, 13, 4))
      #expect(left[0] > 200 && left[2] < 60 && left[3] == 255)
      #expect(right[0] < 60 && right[2] > 200)
    }
  }

  @Test("what is not decoded is said in one sentence")
  func refusals() {
    #expect(throws: PictureFailure.notDecoded(.gif)) { try PictureFile.decode(Samples.gif) }
    #expect(throws: PictureFailure.unsupported(.jpeg)) {
      try PictureFile.decode(Samples.jpegCMYK)
    }
    #expect(throws: PictureFailure.unknownFormat) { try PictureFile.decode(Array("text".utf8)) }
    #expect(throws: PictureFailure.unknownFormat) { try PictureFile.decode([]) }
    #expect(throws: PictureFailure.tooManyPixels) {
      try PictureFile.decode(Samples.png(width: 20_000, height: 20_000, rows: [[0]]))
    }
    #expect(throws: PictureFailure.tooManyPixels) {
      try PictureFile.decode(
        Samples.png(width: 6_000, height: 6_000, isInterlaced: true, rows: [[0]]))
    }
    #expect(throws: PictureFailure.self) {
      try PictureFile.decode(Samples.png(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF, rows: [[0]]))
    }
    for failure in [PictureFailure.unknownFormat, .tooManyPixels, .noMemory, .tooManyBytes]
      + PictureFormat.allCases.flatMap({ [.notDecoded($0), .noLibrary($0), .broken($0)] })
    {
      let words = "\(failure)"
      #expect(words.hasSuffix(".") && words.filter { $0 == "." }.count == 1, "\(words)")
    }
  }

  @Test("a large image is averaged while it is decoded, as its squares are")
  func reduction() throws {
    let (width, height) = (130, 70)
    let whole = try random(width, height, seed: 3)
    let opaque = try #require(
      Picture(
        width: width, height: height,
        rgba: whole.rgba.enumerated().map { $0.offset % 4 == 3 ? 255 : $0.element }))
    let small = try PictureFile.decode(Samples.png(opaque), side: 32)
    #expect((small.width, small.height) == (33, 18))
    #expect((small.sourceWidth, small.sourceHeight) == (width, height))
    for y in 0..<small.height {
      for x in 0..<small.width {
        for channel in 0..<3 {
          var (sum, count) = (0, 0)
          for row in y * 4..<min(height, y * 4 + 4) {
            for column in x * 4..<min(width, x * 4 + 4) {
              sum += Int(pixel(opaque, column, row)[channel])
              count += 1
            }
          }
          let own = Int(pixel(small, x, y)[channel])
          #expect(abs(own * count - sum) <= count, "\(x), \(y)")
        }
      }
    }
  }

  @Test("a file that ends early shows what it has")
  func cut() throws {
    let whole = try random(100, 100)
    let file = Samples.png(whole)
    let picture = try PictureFile.decode(Array(file.prefix(file.count / 2)))
    #expect(picture.isCut)
    #expect(picture.rgba.prefix(4_000) == whole.rgba.prefix(4_000))
    #expect(picture.rgba.suffix(4_000).allSatisfy { $0 == 0 })
    #expect(throws: PictureFailure.broken(.png)) { try PictureFile.decode(Array(file.prefix(20))) }
  }

  @Test("12,000 mutated and torn files: a picture of the bounded size, or a failure")
  func mutations() throws {
    let files = [
      Samples.png(try random(24, 16)), Samples.jpeg, Samples.webp, Samples.jpegCMYK,
      Samples.png(
        width: 2, height: 2, isInterlaced: true,
        rows: [[1, 2, 3, 255], [4, 5, 6, 255], [7, 8, 9, 255, 10, 11, 12, 255]]),
      Samples.png(
        width: 2, height: 1, colorType: 3, palette: [1, 2, 3, 4, 5, 6], transparency: [9],
        rows: [[1, 0]]),
    ]
    var random = SeededRandom(42)
    var outcomes = (pictures: 0, failures: 0)
    for turn in 0..<12_000 {
      var file = files[turn % files.count]
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        // The first bytes name the format: without them nothing of the decoders is tried.
        let place = Int.random(in: 8..<file.count, using: &random)
        switch Int.random(in: 0...3, using: &random) {
        case 0: file[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: file[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        case 2: file.remove(at: place)
        default: file.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      if turn % 3 == 0 { file = Array(file.prefix(Int.random(in: 8...file.count, using: &random))) }
      if turn % 2 == 0, file.starts(with: [0x89, 0x50]) { file = withChecksums(file) }
      do throws(PictureFailure) {
        let picture = try PictureFile.decode(file, side: 64)
        outcomes.pictures += 1
        #expect(picture.width < 128 && picture.height < 128)
      } catch { outcomes.failures += 1 }
    }
    #expect(outcomes.pictures > 1_000 && outcomes.failures > 1_000, "\(outcomes)")
  }

  /// The same chunks with right checksums, or libpng would look no further.
  private func withChecksums(_ file: [UInt8]) -> [UInt8] {
    var file = file
    var place = 8
    while place + 12 <= file.count {
      let length = file[place..<place + 4].reduce(0) { $0 << 8 | Int($1) }
      let end = place + 8 + length
      guard end + 4 <= file.count else { break }
      file.replaceSubrange(
        end..<end + 4, with: Samples.big(Samples.crc(Array(file[place + 4..<end]))))
      place = end + 4
    }
    return file
  }

  @Test("PNG files that are written here are read back")
  func writing() throws {
    for (width, height) in [(1, 1), (1, 500), (301, 3), (64, 64)] {
      let picture = try random(width, height, seed: UInt64(width))
      let file = try PictureFile.png(picture)
      #expect(try PictureFile.decode(file) == picture)
    }
  }

  @Test("Pillow reads a PNG file that was written here, and writes what is read here")
  func pillow() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "images-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let picture = try random(37, 21, seed: 9)
    let ours = folder.appending(path: "ours.png")
    try Data(PictureFile.png(picture)).write(to: ours)
    let script = """
      import sys
      from PIL import Image
      image = Image.open(sys.argv[1])
      assert image.mode == 'RGBA', image.mode
      open(sys.argv[2] + '/raw', 'wb').write(image.tobytes())
      flat = Image.new('RGB', (640, 400), (10, 200, 30))
      flat.save(sys.argv[2] + '/flat.jpg', quality=95)
      flat.save(sys.argv[2] + '/flat.webp', quality=95)
      flat.convert('P').save(sys.argv[2] + '/flat.png')
      """
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, ours.path(), folder.path()]
    process.standardError = Pipe()
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      print("skipped: python3 with Pillow is not here")
      return
    }
    #expect(try Array(Data(contentsOf: folder.appending(path: "raw"))) == picture.rgba)
    for name in ["flat.jpg", "flat.webp", "flat.png"] {
      let bytes = try Array(Data(contentsOf: folder.appending(path: name)))
      let flat = try PictureFile.decode(bytes, side: 100)
      #expect((flat.sourceWidth, flat.sourceHeight) == (640, 400))
      #expect(max(flat.width, flat.height) < 200)
      let middle = pixel(flat, flat.width / 2, flat.height / 2)
      for (own, wanted) in zip(middle, [10, 200, 30, 255]) {
        #expect(abs(Int(own) - wanted) <= 6, "\(name): \(middle)")
      }
    }
  }

  @Test("transparent pixels take the colour behind them")
  func ground() throws {
    let picture = try #require(
      Picture(width: 3, height: 1, rgba: [255, 0, 0, 255, 9, 9, 9, 0, 255, 255, 255, 128]))
    #expect(picture.colors(over: 0x000000) == [0xFF0000, 0x000000, 0x808080])
  }
}
