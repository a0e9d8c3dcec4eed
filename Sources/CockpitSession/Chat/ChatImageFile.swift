import CockpitChat
import CockpitFiles
import Foundation

/// An image on the disk that is to go with a message.
enum ChatImageFile {
  /// Reads it. What it is, is told by its first bytes and not by its name.
  static func read(_ path: String) throws(FileError) -> ChatImage {
    let path = whole(path)
    let name = String(path.split(separator: "/").last ?? Substring(path))
    guard let bytes = try SafeFile.read(path, limit: ChatImage.maxBytes) else {
      throw FileError("there is no file '\(path)'")
    }
    guard let type = ChatImage.mimeType(of: bytes) else {
      throw FileError("'\(name)' is no PNG, JPEG, GIF or WebP image; convert it first")
    }
    return ChatImage(name: String(name.prefix(200)), mimeType: type, bytes: bytes)
  }

  /// A path as a terminal pastes it: quoted, as a URL, or from the home folder on.
  static func whole(_ path: String) -> String {
    var path = path.trimmingCharacters(in: .whitespacesAndNewlines)
    if path.hasPrefix("'"), path.hasSuffix("'"), path.count > 2 {
      path = String(path.dropFirst().dropLast())
    }
    if path.hasPrefix("file:///"), let url = URL(string: path) {
      path = url.path(percentEncoded: false)
    }
    path = path.replacingOccurrences(of: "\\ ", with: " ")
    if path.hasPrefix("~/") {
      path =
        FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)
        + (path.dropFirst(2))
    }
    return path
  }
}
