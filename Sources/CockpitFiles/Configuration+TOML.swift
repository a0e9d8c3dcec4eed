import Foundation
import TOML
import TOMLKit

extension Configuration {
  /// The file at a path.
  package enum Found: Sendable {
    /// Its content; empty if there is no file.
    case configuration(Configuration)
    /// Invalid TOML, and why: its content is lost.
    case corrupt(FileError)
  }

  /// Reads the configuration at `path`; a missing file is an empty one unless `isRequired`.
  ///
  /// - Throws: one sentence with file and line: an unknown key with the nearest known one, or a
  ///   value of the wrong type. Also where the file cannot be read at all, and where one that
  ///   `isRequired` is corrupt.
  package static func find(path: String, isRequired: Bool) throws(FileError) -> Found {
    guard let bytes = try SafeFile.read(path) else {
      guard isRequired else { return .configuration(Configuration()) }
      throw FileError("there is no configuration file at '\(path)'")
    }
    let text: String
    let table: TOMLTable
    do throws(TOMLMistake) {
      text = try TOMLDocument.text(bytes)
      table = try TOMLDocument.table(text)
    } catch {
      // A file named by the user must be valid.
      guard !isRequired else { throw FileError(error, path: path) }
      return .corrupt(FileError(error, path: path))
    }
    var reader = ConfigurationReader(path: path, text: text)
    let configuration = reader.read(table)
    if let first = reader.sortedProblems.first { throw first }
    return .configuration(configuration)
  }

  /// The same for callers to which a corrupt file is an error.
  package static func load(path: String, isRequired: Bool) throws(FileError) -> Configuration {
    switch try find(path: path, isRequired: isRequired) {
    case .configuration(let configuration): return configuration
    case .corrupt(let error): throw error
    }
  }

  /// The text of a file.
  ///
  /// - Throws: one sentence with file and line when it is no UTF-8 text.
  package static func text(_ bytes: [UInt8], path: String) throws(FileError) -> String {
    do throws(TOMLMistake) {
      return try TOMLDocument.text(bytes)
    } catch {
      throw FileError(error, path: path)
    }
  }

  /// Reads TOML text; `path` is only named in errors.
  ///
  /// - Throws: the first problem.
  package init(toml text: String, path: String) throws(FileError) {
    let (configuration, problems) = try Self.read(text, path: path)
    if let first = problems.first { throw first }
    self = configuration
  }

  /// Every problem of a TOML text, in line order; invalid TOML has one.
  package static func problems(toml text: String, path: String) -> [FileError] {
    do throws(FileError) {
      return try read(text, path: path).problems
    } catch {
      return [error]
    }
  }

  /// The readable part of a text with problems; nil if it is invalid TOML.
  package static func readable(toml text: String, path: String) -> Configuration? {
    try? read(text, path: path).0
  }

  private static func read(
    _ text: String, path: String
  ) throws(FileError) -> (Configuration, problems: [FileError]) {
    let table: TOMLTable
    do throws(TOMLMistake) {
      table = try TOMLDocument.table(text)
    } catch {
      throw FileError(error, path: path)
    }
    var reader = ConfigurationReader(path: path, text: text)
    let configuration = reader.read(table)
    return (configuration, reader.sortedProblems)
  }
}
