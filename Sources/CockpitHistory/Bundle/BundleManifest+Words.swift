extension BundleManifest {
  /// A line for each kind of redaction, for the preview and for the reader of the bundle.
  package var redactionLines: [String] {
    var lines: [String] = []
    switch redaction {
    case .none: return ["nothing is redacted: names, ids, words and prompts are as recorded"]
    case .people: break
    case .words: lines.append("words: \(count("words")) texts became their length")
    }
    let who = count("names") + count("ids")
    lines.append(
      "people, guilds, channels, messages: \(count("names")) names and \(count("ids")) ids became pseudonyms"
        + (who == 0 ? " (none was found)" : ""))
    lines.append(
      hasPrompts
        ? "prompts: are in; they may quote people whose names stand nowhere else"
        : "prompts: \(count("prompts")) left out")
    let forms = [
      ("address", "addresses"), ("hosts", "hosts"), ("machine", "addresses of machines"),
      ("path", "paths"),
      ("mail", "e-mail addresses"), ("phone", "phone numbers"), ("key", "key-like strings"),
    ].compactMap { count($0.0) > 0 ? "\(count($0.0)) \($0.1)" : nil }
    if !forms.isEmpty { lines.append("masked: " + forms.joined(separator: ", ")) }
    if !unlisted.isEmpty {
      let all = unlisted.values.reduce(0, +)
      let names = unlisted.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(5).map(\.key)
      lines.append(
        "left out: \(all) values of \(unlisted.count) fields that are not on the list (\(names.joined(separator: ", "))\(unlisted.count > 5 ? ", …" : ""))"
      )
    }
    if count("facts") > 0 {
      lines.append("left out: \(count("facts")) facts about people whose names are not on record")
    }
    if privateDocuments > 0 {
      lines.append("left out: \(privateDocuments) documents with the owner's private facts")
    }
    if wordlikeNames > 0 {
      lines.append(
        "not replaced in texts: \(wordlikeNames) names that are ordinary words (in fields for names they are)"
      )
    }
    return lines
  }

  private func count(_ what: String) -> Int { replaced[what] ?? 0 }
}
