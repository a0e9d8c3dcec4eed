import Foundation
import TOML
import TOMLKit

/// Single values, each with its own complaint.
extension ConfigurationReader {
  /// Milliseconds as a number, or a text such as `"8s"`.
  mutating func duration(_ table: TOMLTable, _ key: String, _ path: [String]) -> Int64? {
    guard let value = note(table, key, path) else { return nil }
    let ms = value.int.map(Int64.init) ?? value.string.flatMap(PromisedShare.milliseconds)
    if let ms, ms > 0, ms <= 7 * 86_400_000 { return ms }
    complain(key, path, "must be a number of milliseconds, or a time such as \"8s\" or \"1500ms\"")
    return nil
  }

  mutating func check(_ table: TOMLTable, keys: [String], _ path: [String]) {
    for key in table.keys where !keys.contains(key) {
      guard path.isEmpty || !Configuration.Key.names(in: nil).contains(key) else {
        complain(key, path, "belongs to the top level of the file, above the first [table]")
        continue
      }
      let nearest = Self.hint(key, keys)
      complain(key, path, "is not a known key\(nearest)")
    }
  }

  static func hint(_ key: String, _ keys: [String]) -> String {
    // A token must not be in a file that is shown, copied and kept in repositories.
    if key == "token" {
      return "; use token_file or token_command, or save the token with 'clanky-cockpit setup'"
    }
    return key.nearest(of: keys).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// A value, if present; records its line.
  mutating func note(
    _ table: TOMLTable, _ key: String, _ path: [String]
  ) -> (any TOMLValueConvertible)? {
    guard table.contains(key: key), let value = table[key] else { return nil }
    configuration.lines[Self.name(path + [key])] = outline?.line(of: path + [key])
    return value
  }

  mutating func inner(
    _ table: TOMLTable, _ key: String, _ path: [String], such example: String
  ) -> TOMLTable? {
    guard let value = note(table, key, path) else { return nil }
    if let inner = value.table { return inner }
    complain(key, path, "must be a table: \(example)")
    return nil
  }

  mutating func string(_ table: TOMLTable, _ key: String, _ path: [String]) -> String? {
    guard let value = note(table, key, path) else { return nil }
    if let text = value.string { return text }
    complain(key, path, "must be text in quotes")
    return nil
  }

  mutating func bool(_ table: TOMLTable, _ key: String, _ path: [String]) -> Bool? {
    guard let value = note(table, key, path) else { return nil }
    if let isTrue = value.bool { return isTrue }
    complain(key, path, "must be true or false")
    return nil
  }

  mutating func number(
    _ table: TOMLTable, _ key: String, _ range: ClosedRange<Int>, _ unit: String, _ path: [String]
  ) -> Int? {
    guard let value = note(table, key, path) else { return nil }
    if let number = value.int, range.contains(number) { return number }
    complain(
      key, path, "must be a number of \(unit) from \(range.lowerBound) to \(range.upperBound)")
    return nil
  }

  mutating func dollars(_ table: TOMLTable, _ key: String, _ path: [String]) -> Double? {
    guard let value = note(table, key, path) else { return nil }
    let dollars = value.double ?? value.int.map(Double.init)
    if let dollars, dollars > 0, dollars <= 1_000_000 { return dollars }
    complain(key, path, "must be a number of dollars above 0, such as 5.00")
    return nil
  }

  mutating func choice(
    _ table: TOMLTable, _ key: String, _ choices: [String], _ path: [String]
  ) -> String? {
    guard let value = note(table, key, path) else { return nil }
    if let text = value.string, choices.contains(text) { return text }
    complain(key, path, "must be one of \(choices.joined(separator: ", "))")
    return nil
  }

  /// A choice with `on` and `off` among it: true and false say the same.
  mutating func toggle(
    _ table: TOMLTable, _ key: String, _ choices: [String], _ path: [String]
  ) -> String? {
    guard let isOn = table[key]?.bool else { return choice(table, key, choices, path) }
    _ = note(table, key, path)
    return isOn ? "on" : "off"
  }

  func strings(_ value: any TOMLValueConvertible) -> [String]? {
    guard let array = value.array else { return nil }
    let texts = (0..<array.count).compactMap { array[$0].string }
    return texts.count == array.count ? texts : nil
  }

  mutating func memory(_ table: TOMLTable) -> Int? {
    guard let text = string(table, "memory", []) else { return nil }
    if let bytes = ByteCount(text) { return bytes.value }
    complain("memory", [], "must be a size from 4MiB to 4GiB, such as \"64MiB\"")
    return nil
  }

  static func name(_ path: [String]) -> String {
    path.map(TOMLEdit.quoted).joined(separator: ".")
  }

  mutating func complain(_ key: String, _ path: [String], _ problem: String) {
    let line = outline?.line(of: path + [key])
    let place = line.map { "\(self.path):\($0)" } ?? self.path
    problems.append((line, FileError("\(place): '\(Self.name(path + [key]))' \(problem)")))
  }
}
