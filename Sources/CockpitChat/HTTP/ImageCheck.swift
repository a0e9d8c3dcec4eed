extension ChatImage {
  /// What a gateway takes where it names no limits (OPENCLAW.md, 6): one image, and all of a message, bytes.
  package static let maxBytes = 6_291_456
  package static let maxTotalBytes = 19_464_192
  package static let mimeTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"]

  /// The type that the first bytes say; nil if it is none that is sent.
  package static func mimeType(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "image/png" }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return "image/jpeg" }
    if bytes.starts(with: "GIF87a".utf8) || bytes.starts(with: "GIF89a".utf8) {
      return "image/gif"
    }
    if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
      return "image/webp"
    }
    return nil
  }

  /// Why these images cannot be sent with one message; nil if they can.
  ///
  /// - Parameters:
  ///   - maxBytes: of one image.
  ///   - maxTotalBytes: of all images as they are sent, in base64.
  package static func problem(
    _ images: [ChatImage], maxBytes: Int = maxBytes, maxTotalBytes: Int = maxTotalBytes
  ) -> ChatFailure? {
    guard images.count <= maxCount else {
      return ChatFailure(
        .request, "A message takes \(maxCount) images at most; send the others with another one.")
    }
    for image in images {
      guard mimeTypes.contains(image.mimeType) else {
        return ChatFailure(
          .request, "\(image.name) is no PNG, JPEG, GIF or WebP image; convert it first.")
      }
      guard image.bytes.count <= maxBytes else {
        return ChatFailure(
          .request,
          "\(image.name) has \(size(image.bytes.count)), and at most \(size(maxBytes)) are taken; make it smaller."
        )
      }
    }
    let total = images.reduce(0) { $0 + ($1.bytes.count + 2) / 3 * 4 }
    guard total <= maxTotalBytes else {
      return ChatFailure(
        .request,
        "The images of the message have \(size(total)) together as they are sent, and at most \(size(maxTotalBytes)) are taken; send fewer."
      )
    }
    return nil
  }

  private static func size(_ bytes: Int) -> String {
    let tenths = (bytes * 10 + (1 << 19)) >> 20
    return bytes < 1 << 20 ? "\((bytes + 1023) >> 10) KiB" : "\(tenths / 10).\(tenths % 10) MiB"
  }
}
