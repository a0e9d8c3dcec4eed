/// Why an image has no picture, or a picture no file: one sentence.
package enum PictureFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// GIF is not decoded here.
  case notDecoded(PictureFormat)
  /// The library of a format is not installed.
  case noLibrary(PictureFormat)
  case unknownFormat
  case broken(PictureFormat)
  case tooManyPixels
  case tooManyBytes
  case unsupported(PictureFormat)
  case noMemory

  package var description: String {
    switch self {
    case .notDecoded(let format): "\(format.name) images have no preview here."
    case .noLibrary(let format):
      "There is no preview of \(format.name) images without \(format.library); install it to see one."
    case .unknownFormat: "This is no PNG, JPEG, GIF or WebP image."
    case .broken(let format): "The \(format.name) image is damaged and cannot be shown."
    case .tooManyPixels: "The image has too many pixels for a preview."
    case .tooManyBytes: "The image has too many bytes for a preview."
    case .unsupported(let format):
      "This kind of \(format.name) image has no preview: it is an animation, or made for print."
    case .noMemory: "There is no memory left to show the image."
    }
  }
}

/// The formats that are told apart.
package enum PictureFormat: String, CaseIterable, Hashable, Sendable {
  case png, jpeg, webp, gif

  /// The one that the first bytes say; nil for all others.
  package init?(of bytes: [UInt8]) {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
      self = .png
    } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      self = .webp
    } else if bytes.starts(with: "GIF8".utf8) {
      self = .gif
    } else {
      return nil
    }
  }

  /// As it is written in a sentence.
  package var name: String {
    switch self {
    case .png: "PNG"
    case .jpeg: "JPEG"
    case .webp: "WebP"
    case .gif: "GIF"
    }
  }

  /// What decodes it.
  var library: String {
    switch self {
    case .png: "libpng"
    case .jpeg: "libturbojpeg"
    case .webp: "libwebp"
    case .gif: "a decoder"
    }
  }
}
