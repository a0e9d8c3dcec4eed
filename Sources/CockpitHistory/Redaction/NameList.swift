/// The names to look for in texts.
struct NameList {
  struct Entry {
    var text: String
    /// The name it is, or is a part of.
    var name: String
    var sort: KnownIdentities.Sort
  }

  /// Full names first, because the first of two equal ones counts.
  private(set) var entries: [Entry] = []
  /// Names that are also words of which every text is full.
  private(set) var wordlike: Set<String> = []

  /// The program's own name, which a bot has until it is given another one.
  static let product: Set<String> = ["clanky", "clanky-cockpit"]

  private static let common: Set<String> = [
    "the", "and", "you", "not", "for", "are", "was", "but", "with", "this", "that", "have", "has",
    "had", "his", "her",
    "she", "they", "them", "him", "its", "our", "your", "all", "any", "can", "will", "who", "what",
    "when", "where",
    "why", "how", "yes", "one", "two", "out", "off", "now", "new", "old", "get", "got", "let",
    "say", "said", "see",
    "from", "into", "here", "there", "bot", "user", "null", "true", "false", "none", "unknown",
    "is", "it", "in", "on",
    "at", "to", "of", "or", "as", "an", "be", "by", "do", "go", "he", "if", "me", "my", "no", "so",
    "up", "us", "we",
    "am", "ok", "error", "voice", "text", "room", "channel", "server", "message", "mod", "person",
    "host", "guild", "path", "mail", "phone", "key", "address",
    "characters", "left", "http", "https", "www", "com", "org", "net", "admin",
    "der", "die", "das",
  ]

  init(_ known: KnownIdentities) {
    let sorts: [KnownIdentities.Sort] = [.person, .bot, .guild, .channel, .host]
    for sort in sorts {
      for name in (known.names[sort] ?? []).sorted() {
        let key = FoldedText.key(name)
        guard !Self.product.contains(key) else { continue }
        if key.unicodeScalars.count < 2
          && !key.unicodeScalars.contains(where: FoldedText.standsAlone)
          || Self.common.contains(key)
          || key.utf8.count < 6 && key.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        {
          wordlike.insert(name)
        } else if sort != .host || !WebAddress.isOwn(key) {
          entries.append(Entry(text: name, name: name, sort: sort))
        }
      }
    }
    for name in (known.names[.person] ?? []).sorted() {
      for part in Self.parts(of: name) {
        entries.append(Entry(text: part, name: name, sort: .person))
      }
    }
  }

  /// What people call each other: the words of a name, of three letters or more.
  private static func parts(of name: String) -> [String] {
    let words = name.unicodeScalars.split { !$0.isLetterOrDigit }.map { String($0) }
    return words.filter { word in
      word != name
        && (word.unicodeScalars.count >= 3
          || word.unicodeScalars.contains(where: FoldedText.standsAlone))
        && !common.contains(FoldedText.key(word)) && !product.contains(FoldedText.key(word))
        && !word.unicodeScalars.allSatisfy(\.isDigit)
    }
  }
}
