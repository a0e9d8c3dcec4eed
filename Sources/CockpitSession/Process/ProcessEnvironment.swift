import CTermSupport

/// The environment of the process.
package enum ProcessEnvironment {
  /// As it is now. Foundation's `ProcessInfo` says the same and has to be made first, with types that
  /// the runtime looks up by name: as long as reading the configuration takes.
  package static var current: [String: String] {
    var result: [String: String] = [:]
    guard var place = cterm_environment() else { return result }
    while let entry = place.pointee {
      place += 1
      let text = String(cString: entry)
      guard let equals = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(text[..<equals])
      // Of doubles the first counts, as for getenv.
      if result[name] == nil { result[name] = String(text[text.utf8.index(after: equals)...]) }
    }
    return result
  }
}
