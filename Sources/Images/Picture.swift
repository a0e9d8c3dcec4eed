/// An image in memory: what a file shows, small enough to be kept.
package struct Picture: Hashable, Sendable {
  /// In pixels.
  package let width, height: Int
  /// Red, green, blue and alpha of each pixel, not premultiplied, rows from the top: `4 * width * height` bytes.
  package let rgba: [UInt8]
  /// The size that the file says, in pixels; the picture may be a smaller copy.
  package var sourceWidth, sourceHeight: Int
  /// Whether the file ended early or is damaged: a part of the picture is missing.
  package var isCut = false

  /// Nil where the number of bytes does not fit the size.
  package init?(width: Int, height: Int, rgba: [UInt8]) {
    guard width > 0, height > 0, width <= 1 << 20, height <= 1 << 20,
      rgba.count == width * height * 4
    else { return nil }
    (self.width, self.height, self.rgba) = (width, height, rgba)
    (sourceWidth, sourceHeight) = (width, height)
  }

  /// The colours as 0xRRGGBB, over one colour where the picture is transparent.
  package func colors(over ground: UInt32 = 0x808080) -> [UInt32] {
    let back = [ground >> 16 & 0xFF, ground >> 8 & 0xFF, ground & 0xFF]
    return (0..<width * height).map { pixel in
      let alpha = UInt32(rgba[pixel * 4 + 3])
      return (0..<3).reduce(0) { color, channel in
        let own = UInt32(rgba[pixel * 4 + channel])
        return color << 8 | (own * alpha + back[channel] * (255 - alpha) + 127) / 255
      }
    }
  }
}
