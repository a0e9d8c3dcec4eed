internal import CImages

/// Images as files: bytes to pictures, and pictures to PNG.
///
/// The libraries are loaded when the first image is decoded, and never in a run without one.
package enum PictureFile {
  /// Bytes of a file that are decoded.
  package static let maxBytes = 32 << 20

  /// Decodes an image of any content, in bounded memory: sizes are checked before anything is allocated, at most 40
  /// million pixels, or 16 million where an image has to be in memory as a whole.
  ///
  /// - Parameter side: pixels along the longer side that are enough. The picture has fewer than twice as many.
  package static func decode(
    _ bytes: [UInt8], side: Int = 1024
  ) throws(PictureFailure) -> Picture {
    guard let format = PictureFormat(of: bytes) else { throw .unknownFormat }
    guard bytes.count <= maxBytes else { throw .tooManyBytes }
    let side = UInt32(clamping: max(1, side))
    var found = cimages_picture()
    let status = bytes.withUnsafeBufferPointer { bytes in
      switch format {
      case .png: cimages_read_png(bytes.baseAddress, bytes.count, side, &found)
      case .jpeg: cimages_read_jpeg(bytes.baseAddress, bytes.count, side, &found)
      case .webp: cimages_read_webp(bytes.baseAddress, bytes.count, side, &found)
      case .gif: CIMAGES_UNSUPPORTED
      }
    }
    defer { cimages_free(found.pixels) }
    if format == .gif { throw .notDecoded(.gif) }
    if let failure = failure(status, format) { throw failure }
    let (width, height) = (Int(found.width), Int(found.height))
    let rgba = Array(UnsafeBufferPointer(start: found.pixels, count: width * height * 4))
    guard var picture = Picture(width: width, height: height, rgba: rgba) else {
      throw .broken(format)
    }
    picture.sourceWidth = Int(found.source_width)
    picture.sourceHeight = Int(found.source_height)
    picture.isCut = found.is_cut
    return picture
  }

  /// A picture as a PNG file.
  package static func png(_ picture: Picture) throws(PictureFailure) -> [UInt8] {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count = 0
    let status = cimages_write_png(
      picture.rgba, UInt32(picture.width), UInt32(picture.height), &bytes, &count)
    defer { cimages_free(bytes) }
    if let failure = failure(status, .png) { throw failure }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  private static func failure(
    _ status: cimages_status, _ format: PictureFormat
  ) -> PictureFailure? {
    switch status {
    case CIMAGES_DONE: nil
    case CIMAGES_NO_LIBRARY: .noLibrary(format)
    case CIMAGES_TOO_LARGE: .tooManyPixels
    case CIMAGES_UNSUPPORTED: .unsupported(format)
    case CIMAGES_NO_MEMORY: .noMemory
    default: .broken(format)
    }
  }
}
