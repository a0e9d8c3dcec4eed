/// The exit codes of a verb, read from its help, which is where people read them too.
struct ExitMeanings: Equatable {
  /// What a code means, lowest code first.
  var codes: [(code: Int, meaning: String)]
  /// Sentences of the help that say more about them.
  var notes: [String]

  /// The default meaning of exit codes.
  static let general: [(code: Int, meaning: String)] = [
    (0, "done"), (1, "failed, or nothing found where that is documented"),
    (2, "usage or configuration, or a refused address or token file"),
    (3, "no connection, or not the server that was expected; may be tried again"),
    (4, "authentication"),
  ]

  static func == (one: ExitMeanings, other: ExitMeanings) -> Bool {
    one.notes == other.notes && one.codes.elementsEqual(other.codes) { $0 == $1 }
  }

  /// - Parameters:
  ///   - helps: the help texts of the verb and of the family that it belongs to, its own first.
  ///   - ofVerb: the help text of another verb, for `those of 'status'`.
  init(_ helps: [String], ofVerb: (String) -> String?) {
    codes = Self.general
    notes = []
    for help in helps {
      for sentence in Self.sentences(help) where sentence.contains(/\b[Ee]xits?\b/) {
        if let other = sentence.firstMatch(of: /^Exit codes: those of '([a-z ]+)'\.$/) {
          if let text = ofVerb(String(other.1)) {
            codes = ExitMeanings([text]) { _ in nil }.codes
          }
        } else if let list = Self.list(sentence) {
          // A verb's own list counts more than the one of its family.
          if codes.elementsEqual(Self.general, by: ==) { codes = list }
        } else {
          notes.append(sentence)
        }
      }
    }
  }

  /// `Exit codes: 0 healthy, 1 degraded.`; codes that it does not name keep their general meaning.
  private static func list(_ sentence: String) -> [(code: Int, meaning: String)]? {
    guard sentence.hasPrefix("Exit codes: ") else { return nil }
    let text = sentence.dropFirst("Exit codes: ".count).drop { $0 == " " }
    var meanings: [Int: String] = [:]
    for part in text.split(separator: /, (?=[0-9])/) {
      guard let match = part.firstMatch(of: /^([0-9]+) (.+?)\.?$/), let code = Int(match.1)
      else { return nil }
      meanings[code] = String(match.2)
    }
    for (code, meaning) in general where meanings[code] == nil { meanings[code] = meaning }
    return meanings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The sentences of a help text; examples, which are indented, are left out.
  private static func sentences(_ text: String) -> [String] {
    var sentences: [String] = []
    var current: [Substring] = []
    func end() {
      if !current.isEmpty { sentences.append(current.joined(separator: " ")) }
      current = []
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty || line.hasPrefix("  ") {
        end()
        continue
      }
      for word in line.split(separator: " ") {
        current.append(word)
        if word.last == "." { end() }
      }
    }
    end()
    return sentences
  }
}
