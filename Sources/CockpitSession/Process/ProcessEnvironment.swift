import CTermSupport

/// The environment of the process.
package enum ProcessEnvironment {
  /// The current environment. Foundation's `ProcessInfo` returns the same, but setting it up takes
  /// as long as reading the configuration, because the runtime looks up its types by name.
  package static var current: [String: String] {
    var result: [String: String] = [:]
    guard var place = cterm_environment() else { return result }
    while let entry = place.pointee {
      place += 1
      let text = String(cString: entry)
      guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(text[..<equals])
      // Of duplicates the first counts, as with getenv.
      if result[name] == nil { result[name] = String(text[text.utf8.index(after: equals)...]) }
    }
    return result
  }
}
