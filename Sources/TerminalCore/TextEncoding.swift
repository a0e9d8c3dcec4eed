/// The terminal's encoding according to the locale. Decided by its name and not by the C library:
/// if a locale is not installed, which is common after a remote login, the library knows only "C".
package enum TextEncoding: Hashable, Sendable {
  case utf8
  /// Another named encoding. UTF-8 bytes would be other characters there, some of them control
  /// characters.
  case other
  /// The locale has no encoding in its name, as `C` and `de_DE`, or there is none.
  case unstated

  /// POSIX: the first of LC_ALL, LC_CTYPE and LANG that is set and not empty, as in
  /// `de_DE.ISO-8859-1@euro`.
  package init(environment: [String: String]) {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first {
      !$0.isEmpty
    }
    guard let name, let dot = name.firstIndex(of: ".") else {
      self = .unstated
      return
    }
    self.init(codeset: String(name[name.index(after: dot)...].prefix { $0 != "@" }))
  }

  /// - Parameter codeset: as the C library or a locale's name spells it: `UTF-8`, `utf8`,
  ///   `ISO-8859-1`, and `ANSI_X3.4-1968` for the locale C.
  package init(codeset: String) {
    switch codeset.lowercased().filter({ $0.isLetter || $0.isNumber }) {
    case "utf8": self = .utf8
    case "", "ansix341968", "usascii", "ascii", "646": self = .unstated
    default: self = .other
    }
  }
}
