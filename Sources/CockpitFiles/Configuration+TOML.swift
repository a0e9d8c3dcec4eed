import Foundation
import TOMLKit

extension Configuration {
  private static let profileKeys = [
    "url", "token_command", "ca_file", "guild", "allow_plain_http", "read_only", "theme",
  ]
  private static let topKeys =
    profileKeys + [
      "profiles", "profile", "glyphs", "color", "utc", "mouse", "memory", "on_quit_with_held",
    ]

  /// Reads the configuration at `path`; a missing file is an empty one unless `isRequired`.
  ///
  /// - Throws: one sentence with file and line: syntax, an unknown key with the nearest known one,
  ///   or a value of the wrong type.
  package static func load(path: String, isRequired: Bool) throws(FileError) -> Configuration {
    guard let bytes = try SafeFile.read(path) else {
      guard isRequired else { return Configuration() }
      throw FileError("there is no configuration file at '\(path)'")
    }
    return try Configuration(toml: String(decoding: bytes, as: UTF8.self), path: path)
  }

  /// Reads TOML text; `path` is only named in errors.
  package init(toml text: String, path: String) throws(FileError) {
    self.init()
    let table: TOMLTable
    do {
      table = try TOMLTable(string: text)
    } catch {
      if let error = error as? TOMLParseError {
        throw FileError("\(path):\(error.source.begin.line): \(error.description.firstLine)")
      }
      throw FileError("\(path): \(error)")
    }
    let reader = Reader(path: path, text: text)
    try reader.check(table, keys: Self.topKeys, table: nil)
    base = try reader.profile(table, table: nil)
    profile = try reader.string(table, "profile", nil)
    glyphs = try reader.choice(table, "glyphs", ["unicode", "safe", "ascii"])
    color = try reader.choice(table, "color", ["auto", "always", "never"])
    utc = try reader.bool(table, "utc", nil)
    mouse = try reader.bool(table, "mouse", nil)
    memory = try reader.memory(table)
    onQuitWithHeld = try reader.choice(table, "on_quit_with_held", ["ask", "send", "drop"])
    guard table.contains(key: "profiles") else { return }
    guard let tables = table["profiles"]?.table else {
      throw reader.error("profiles", nil, "must be tables such as [profiles.prod]")
    }
    for name in tables.keys {
      guard let entry = tables[name]?.table else {
        throw reader.error(name, "profiles", "must be a table: [profiles.\(name)]")
      }
      try reader.check(entry, keys: Self.profileKeys, table: "profiles.\(name)")
      profiles[name] = try reader.profile(entry, table: "profiles.\(name)")
    }
  }

  /// Reads typed values of a table and says where the odd ones stand.
  private struct Reader {
    let path: String
    let text: String

    func check(_ table: TOMLTable, keys: [String], table name: String?) throws(FileError) {
      for key in table.keys where !keys.contains(key) {
        let nearest = key.nearest(of: keys).map { "; did you mean '\($0)'?" } ?? ""
        throw error(key, name, "is not a known key\(nearest)")
      }
    }

    func profile(_ table: TOMLTable, table name: String?) throws(FileError) -> Profile {
      var profile = Profile()
      profile.url = try string(table, "url", name)
      profile.tokenCommand = try string(table, "token_command", name)
      profile.caFile = try string(table, "ca_file", name)
      profile.guild = try string(table, "guild", name)
      profile.allowPlainHTTP = try bool(table, "allow_plain_http", name)
      profile.readOnly = try bool(table, "read_only", name)
      profile.theme = try string(table, "theme", name)
      return profile
    }

    func string(_ table: TOMLTable, _ key: String, _ name: String?) throws(FileError) -> String? {
      guard table.contains(key: key) else { return nil }
      guard let value = table[key]?.string else { throw error(key, name, "must be text in quotes") }
      return value
    }

    func bool(_ table: TOMLTable, _ key: String, _ name: String?) throws(FileError) -> Bool? {
      guard table.contains(key: key) else { return nil }
      guard let value = table[key]?.bool else { throw error(key, name, "must be true or false") }
      return value
    }

    func choice(_ table: TOMLTable, _ key: String, _ choices: [String]) throws(FileError) -> String?
    {
      guard let value = try string(table, key, nil) else { return nil }
      guard choices.contains(value) else {
        throw error(key, nil, "must be one of \(choices.joined(separator: ", "))")
      }
      return value
    }

    func memory(_ table: TOMLTable) throws(FileError) -> Int? {
      guard let text = try string(table, "memory", nil) else { return nil }
      guard let bytes = ByteCount(text) else {
        throw error("memory", nil, "must be a size from 4MiB to 4GiB, such as \"64MiB\"")
      }
      return bytes.value
    }

    func error(_ key: String, _ table: String?, _ problem: String) -> FileError {
      let place = line(of: key, in: table).map { "\(path):\($0)" } ?? path
      let full = table.map { "\($0).\(key)" } ?? key
      return FileError("\(place): '\(full)' \(problem)")
    }

    /// TOMLKit keeps no positions of values that parsed: find the line that sets the key.
    private func line(of key: String, in table: String?) -> Int? {
      var current: String?
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
        .enumerated()
      {
        let line = line.trimmingCharacters(in: .whitespaces)
        if line.hasPrefix("[") {
          current = line.trimmingCharacters(in: CharacterSet(charactersIn: "[] "))
          if current == key || current == table.map({ "\($0).\(key)" }) { return index + 1 }
        } else if current == table,
          line.prefix(while: { $0 != "=" }).trimmingCharacters(in: .whitespaces) == key
        {
          return index + 1
        }
      }
      return nil
    }
  }
}
