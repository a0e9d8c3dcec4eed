/// What is masked in text by its form: addresses of the web and of machines, host paths, e-mail, phone and key-like
/// strings, and ids of Discord.
package enum SensitivePattern: String, Hashable, Sendable, CaseIterable {
  case address, path, mail, phone, key, machine, id

  /// The pattern that begins at a place; nil if there is none.
  ///
  /// - Parameter text: must begin a word there, or stand after a character that is no part of one.
  static func match(
    in text: [Unicode.Scalar], at start: Int
  ) -> (pattern: SensitivePattern, end: Int)? {
    if let end = address(text, start) { return (.address, end) }
    let token = TokenScan(text, from: start)
    if let end = token.mail { return (.mail, end) }
    if let end = token.path { return (.path, end) }
    if let end = token.digits { return (.id, end) }
    if let end = token.phone { return (.phone, end) }
    if let end = token.machine { return (.machine, end) }
    // A part of a longer run was looked at with the run.
    let isInRun = text[safe: start - 1].map { "-_.+=/".unicodeScalars.contains($0) } ?? false
    if !isInRun, let end = token.key { return (.key, end) }
    return nil
  }

  /// `https://…` up to a blank, a quote or a bracket.
  private static func address(_ text: [Unicode.Scalar], _ start: Int) -> Int? {
    var at = start
    while at < text.count, at - start < 16, text[at].isLetterOrDigit { at += 1 }
    guard at > start, at + 3 < text.count, text[at] == ":", text[at + 1] == "/", text[at + 2] == "/"
    else { return nil }
    at += 3
    let first = at
    while at < text.count, !text[at].endsAddress { at += 1 }
    // A sentence ends behind it.
    while at > first, text[at - 1] == "." || text[at - 1] == "," || text[at - 1] == ";" { at -= 1 }
    return at > first ? at : nil
  }
}

/// One run of characters without blanks.
private struct TokenScan {
  private let text: [Unicode.Scalar]
  private let start: Int

  init(_ text: [Unicode.Scalar], from start: Int) {
    self.text = text
    self.start = start
  }

  private func run(_ isPart: (Unicode.Scalar) -> Bool) -> Int {
    var at = start
    while at < text.count, at - start < 4096, isPart(text[at]) { at += 1 }
    return at
  }

  var mail: Int? {
    let name = run {
      $0.isLetterOrDigit || $0 == "." || $0 == "_" || $0 == "+" || $0 == "-" || $0 == "%"
    }
    guard name > start, name < text.count, text[name] == "@" else { return nil }
    var at = name + 1
    var dots = 0
    while at < text.count, text[at].isLetterOrDigit || text[at] == "-" || text[at] == "." {
      if text[at] == "." { dots += 1 }
      at += 1
    }
    while at > name + 1, text[at - 1] == "." || text[at - 1] == "-" {
      if text[at - 1] == "." { dots -= 1 }
      at -= 1
    }
    return dots > 0 && at > name + 3 ? at : nil
  }

  /// `/srv/bot/data`, `~/notes`, `C:\Users\me`: two parts at least.
  var path: Int? {
    guard let first = text[safe: start] else { return nil }
    let isWindows =
      first.isLetterOrDigit && text[safe: start + 1] == ":" && text[safe: start + 2] == "\\"
    let isHome = first == "~" && text[safe: start + 1] == "/"
    guard isWindows || isHome || first == "/" else { return nil }
    let separator: Unicode.Scalar = isWindows ? "\\" : "/"
    var parts = isHome ? 1 : 0
    var length = 0
    var at = isWindows ? start + 3 : start + 1
    if isHome { at += 1 }
    while at < text.count, !text[at].endsAddress, text[at] != ":" || isWindows {
      if text[at] == separator {
        if length > 0 { parts += 1 }
        length = 0
      } else {
        length += 1
      }
      at += 1
    }
    if length > 0 { parts += 1 }
    guard parts >= 2 || isWindows else { return nil }
    let isRoute = text[start...].prefix(5).elementsEqual("/api/".unicodeScalars)
    return isRoute ? nil : at
  }

  /// 17 to 20 digits that are not those of a fraction.
  var digits: Int? {
    if text[safe: start - 1] == ".", text[safe: start - 2]?.isDigit == true { return nil }
    let end = run(\.isDigit)
    return (17...20).contains(end - start) ? end : nil
  }

  /// `+49 171 1234567`, `(030) 123 456 78`, `0171-1234567`
  var phone: Int? {
    guard let first = text[safe: start], first == "+" || first == "(" || first.isDigit else {
      return nil
    }
    var at = start
    var digits = 0
    var groups = 0
    var isInGroup = false
    while at < text.count, at - start < 30 {
      let scalar = text[at]
      if scalar.isDigit {
        digits += 1
        if !isInGroup { groups += 1 }
        isInGroup = true
      } else if scalar == "+" && at == start || " ()-/.".unicodeScalars.contains(scalar) {
        // Two separators in a row end it, but for a bracket.
        if at > start, !isInGroup, scalar == text[at - 1], scalar != "(", scalar != ")" { break }
        isInGroup = false
      } else {
        break
      }
      at += 1
    }
    while at > start, !text[at - 1].isDigit { at -= 1 }
    guard text[safe: at]?.isLetterOrDigit != true, text[safe: at] != "_", (8...15).contains(digits)
    else { return nil }
    if first == "+" { return at }
    // Dates, times and counts are no numbers of phones: those begin with a zero or a bracket.
    let isTrunk = first == "0" && text[safe: start + 1] != "." && digits >= 9
    return first == "(" && groups >= 2 || isTrunk ? at : nil
  }

  /// An address of a machine: `192.168.0.2`, `2001:db8::1`; not one of this machine itself.
  var machine: Int? {
    let end = run { $0.isDigit || $0 == "." }
    let text4 = String(String.UnicodeScalarView(text[start..<end]))
    let parts = text4.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4, parts.allSatisfy({ (Int($0) ?? 256) < 256 && !$0.isEmpty }),
      text[safe: end]?.isLetterOrDigit != true
    {
      return WebAddress.isOwn(text4) ? nil : end
    }
    let end6 = run { $0.isHexDigit || $0 == ":" }
    let text6 = text[start..<end6]
    let colons = text6.lazy.filter { $0 == ":" }.count
    guard colons >= 4 || colons >= 2 && String(String.UnicodeScalarView(text6)).contains("::"),
      text6.contains(where: \.isDigit), text[safe: end6]?.isLetterOrDigit != true
    else { return nil }
    return end6
  }

  private static let marks = [
    "sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xoxb-", "xoxp-",
    "xoxa-", "AKIA",
    "ASIA", "AIza", "eyJ", "ya29.", "hf_", "npm_", "SG.",
  ].map { Array($0.unicodeScalars) }

  /// A run of 24 letters and digits or more that is mixed as words are not; what begins like a known kind of key, from
  /// 12 on; what follows `Bearer`.
  var key: Int? {
    if text[start...].prefix(7).elementsEqual("Bearer ".unicodeScalars) {
      var at = start + 7
      while at < text.count, !text[at].endsAddress { at += 1 }
      return at - start >= 15 ? at : nil
    }
    let end = run {
      $0.isLetterOrDigit && $0.isASCII || $0 == "-" || $0 == "_" || $0 == "." || $0 == "+"
        || $0 == "="
        || $0 == "/"
    }
    let token = text[start..<end]
    if token.count >= 12, Self.marks.contains(where: { token.starts(with: $0) }) { return end }
    guard token.count >= 24, !isUUID(token) else { return nil }
    var digits = 0
    var upper = 0
    var lower = 0
    var longestWord = 0
    var word = 0
    for scalar in token {
      word = scalar.isDigit || !scalar.isLetterOrDigit ? 0 : word + 1
      longestWord = max(longestWord, word)
      if scalar.isDigit { digits += 1 }
      if (0x41...0x5A).contains(scalar.value) { upper += 1 }
      if (0x61...0x7A).contains(scalar.value) { lower += 1 }
    }
    guard digits >= 4, upper + lower >= 6, longestWord <= 12 || upper >= 4 && lower >= 4 else {
      return nil
    }
    return end
  }

  private func isUUID(_ token: ArraySlice<Unicode.Scalar>) -> Bool {
    let parts = token.split(separator: "-", omittingEmptySubsequences: false)
    return parts.prefix(5).map(\.count) == [8, 4, 4, 4, 12]
      && parts.prefix(5).allSatisfy { $0.allSatisfy(\.isHexDigit) }
  }
}

extension Unicode.Scalar {
  var isDigit: Bool { (0x30...0x39).contains(value) }
  var isHexDigit: Bool { isDigit || (0x41...0x46).contains(value) || (0x61...0x66).contains(value) }
  /// Of ASCII quickly, of other scripts by their category.
  var isLetterOrDigit: Bool { self != "_" && FoldedText.isWordPart(self) }

  /// Blanks, quotes, brackets and backslashes end an address.
  fileprivate var endsAddress: Bool {
    value <= 0x20 || "\"'<>`\\^{}|)]".unicodeScalars.contains(self) || properties.isWhitespace
  }
}
