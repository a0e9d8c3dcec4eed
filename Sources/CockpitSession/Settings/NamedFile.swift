import CockpitFiles

/// A file that an option names.
package struct NamedFile {
  private let path: String
  private let use: String

  /// - Parameter use: which option names what, for the sentence about a missing file.
  package init(_ path: String, use: String) {
    self.path = path
    self.use = use
  }

  /// Its bytes.
  ///
  /// - Parameter limit: bytes that it has at most.
  /// - Throws: `Failure` with exit code 2 if there is no such file, or it cannot be read.
  package func bytes(limit: Int = 4 << 20) throws(Failure) -> [UInt8] {
    do throws(FileError) {
      if let bytes = try SafeFile.read(path, limit: limit) { return bytes }
    } catch {
      throw Failure(.usage, error.description)
    }
    throw Failure(.usage, "there is no file '\(path)'; \(use)")
  }
}
