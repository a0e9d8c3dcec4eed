import CockpitDomain
import CockpitPanes
import CockpitStores
import Images
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitSession

/// The pictures of a canvas, drawings as files, and what a recording keeps.
@MainActor
@Suite struct CanvasFilesTests {
  private func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let bits = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for index in 0...piece.count {
        text.append(letters[Int(bits >> UInt32(18 - 6 * index) & 63)])
      }
      text += String(repeating: "=", count: 3 - piece.count)
    }
    return text
  }

  @Test("a drawing becomes a PNG that the decoder reads back, pixel by pixel")
  func png() async throws {
    var drawing = CanvasDrawing(size: Size(width: 4, height: 2))
    drawing.paint(from: (0, 0), to: (3, 0), color: 3)
    let made = await CanvasTouch.made(of: .draw(drawing, element: "a"))
    let touch = try made.get()
    guard case .draw(let png) = touch.kind else {
      Issue.record("no drawing")
      return
    }
    #expect(touch.element == "a")
    let picture = try PictureFile.decode(png)
    #expect(picture.width == 32 && picture.height == 32)
    #expect(Array(picture.rgba[0..<4]) == [0x22, 0xC5, 0x5E, 255])
    #expect(picture.rgba[(16 * 32) * 4 + 3] == 0, "the second row of cells is transparent")
  }

  @Test("a picture is decoded to a bounded size; what is none, is torn or is a bomb has a sentence")
  func decoding() throws {
    let picture = try #require(
      Picture(width: 3_000, height: 20, rgba: [UInt8](repeating: 200, count: 3_000 * 20 * 4)))
    let png = try PictureFile.png(picture)
    let preview = CanvasPictures.decoded("data:image/png;base64," + base64(png))
    let grid = try #require(preview.grid)
    #expect(grid.width <= 200 && grid.height <= 128 && preview.width == 3_000)
    // A header that promises 30,000 by 30,000 pixels, and nothing behind it.
    var bomb = Array(png.prefix(33))
    bomb.replaceSubrange(16..<24, with: [0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30])
    let hostile = [
      "data:image/png;base64," + base64(bomb), "data:image/png;base64,%%%%",
      "data:image/png;base64,", "data:image/gif;base64," + base64(Array("GIF89a".utf8)),
      "data:image/png;base64," + base64(Array(png.prefix(png.count / 2)).map { $0 ^ 0x10 }),
      "data:text/plain;base64,QUJD",
    ]
    for content in hostile {
      let preview = CanvasPictures.decoded(content)
      #expect(preview.grid == nil && preview.problem?.isEmpty == false, "\(content.prefix(60))")
    }
  }

  @Test("a recording keeps the canvas without its images and with long texts cut")
  func recorded() throws {
    let image = "data:image/png;base64," + String(repeating: "QUJD", count: 1_000)
    let text = String(repeating: "secret ", count: 2_000)
    let json =
      #"{"agent":"wren","elements":[{"id":"a","type":"image","content":"\#(image)"},{"id":"b","type":"text","content":"\#(text)"},{"id":"c","type":"video","content":"https://x.example/a","style":{"poster":"\#(image)"}}]}"#
    let kept = try #require(Array(json.utf8).withUnsafeBytes { RecordedCanvas.document($0) })
    #expect(kept.count < 8_000)
    let board = try #require(CanvasBoard(try JSONValue.parse(kept)))
    #expect(board["a"]?.content == "data:image/png;omitted,3000")
    #expect(board["c"]?.style["poster"] == "data:image/png;omitted,3000")
    #expect(board["b"]?.content.hasPrefix("secret ") == true)
    #expect(board.agent == "wren")
    let many = (0..<3_000).map {
      #"{"id":"\#($0)","type":"text","content":"\#(String(repeating: "y", count: 900))"}"#
    }
    let large = #"{"elements":[\#(many.joined(separator: ","))]}"#
    #expect(Array(large.utf8).withUnsafeBytes { RecordedCanvas.document($0) } == nil)
    #expect(Array("{".utf8).withUnsafeBytes { RecordedCanvas.document($0) } == nil)
  }
}
