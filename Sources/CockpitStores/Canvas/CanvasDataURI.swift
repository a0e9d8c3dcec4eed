internal import Foundation

/// A `data:` URI (RFC 2397) with an image in base64, the only form in which a canvas has images: nothing is fetched.
package struct CanvasDataURI: Hashable, Sendable {
  /// Such as `image/png`, in lower case.
  package var type: String
  /// The base64 text, not decoded.
  package var payload: Substring
  /// Of what was left out of a recording, in bytes; nil where the image is here.
  package var omittedBytes: Int?

  package static func isOne(_ text: String) -> Bool {
    text.utf8.count > 5 && text.prefix(5).lowercased() == "data:"
  }

  /// Nil for other text, and for data that are no image in base64.
  package init?(_ text: String) {
    guard Self.isOne(text), let comma = text.prefix(200).firstIndex(of: ",") else { return nil }
    let head = text[text.index(text.startIndex, offsetBy: 5)..<comma].lowercased()
    let parts = head.split(separator: ";", omittingEmptySubsequences: false)
    guard let type = parts.first, type.hasPrefix("image/") else { return nil }
    self.type = String(type)
    payload = text[text.index(after: comma)...]
    if parts.contains("omitted") {
      omittedBytes = Int(payload) ?? 0
      payload = ""
    } else if !parts.contains("base64") {
      return nil
    }
  }

  /// The file that it stands for; nil unless it is a PNG, JPEG or WebP by its first bytes.
  package var file: [UInt8]? {
    guard omittedBytes == nil, let data = Data(base64Encoded: String(payload)) else { return nil }
    let isKnown =
      data.starts(with: [0x89, 0x50, 0x4E, 0x47]) || data.starts(with: [0xFF, 0xD8, 0xFF])
      || data.starts(with: Array("RIFF".utf8)) && data.dropFirst(8).starts(with: Array("WEBP".utf8))
    return isKnown ? Array(data) : nil
  }

  /// The bytes that it stands for, about.
  package var byteCount: Int { omittedBytes ?? payload.utf8.count / 4 * 3 }

  /// What stands in a recording in place of an image.
  package static func omitted(_ text: String) -> String? {
    guard let uri = CanvasDataURI(text), uri.omittedBytes == nil else { return nil }
    return "data:\(uri.type);omitted,\(uri.byteCount)"
  }
}
