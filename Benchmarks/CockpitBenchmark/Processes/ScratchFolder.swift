import Foundation

/// A folder of this run alone, gone when the run is over.
enum ScratchFolder {
  /// - Parameter name: the run, to identify a folder left by a killed one.
  static func use<Result>(_ name: String, _ body: (String) throws -> Result) throws -> Result {
    let folder = "\(NSTemporaryDirectory())/cockpit-\(name)-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try body(folder)
  }
}
