internal import ClankyWire

/// Facts as a Markdown list, one section per subject. Untrusted text stays text: none of it becomes
/// a heading, a link, an image or HTML.
struct FactMarkdown {
  var clean: @Sendable (String) -> String

  func bytes(_ records: [FactRecord]) -> [UInt8] {
    var order: [String] = []
    var sections: [String: [FactRecord]] = [:]
    for record in records {
      let subject = record.fact.subject ?? ""
      if sections[subject] == nil { order.append(subject) }
      sections[subject, default: []].append(record)
    }
    var out = "# Facts\n"
    for subject in order {
      let facts = sections[subject] ?? []
      let name = facts.lazy.compactMap(\.subjectName).first
      let heading = [name, subject.isEmpty ? nil : "(\(subject))"].compactMap(\.self)
      let words = name == nil ? subject : heading.joined(separator: " ")
      out += "\n## \(text(words.isEmpty ? "no subject" : words))\n\n"
      for record in facts { out += item(record) }
    }
    return Array(out.utf8)
  }

  private func item(_ record: FactRecord) -> String {
    let fact = record.fact
    var notes: [String] = []
    if let type = fact.factType?.rawValue { notes.append(text(type)) }
    if let confidence = fact.confidence, confidence.isFinite {
      notes.append("confidence \(confidence)")
    }
    if let id = fact.id { notes.append("id \(id)") }
    if let guild = record.guildName ?? fact.guildID { notes.append(text(guild)) }
    if let time = fact.updatedAt ?? fact.createdAt { notes.append("\(time.iso.prefix(10))") }
    var out = "- \(text(fact.fact ?? "")) (\(notes.joined(separator: ", ")))\n"
    if let evidence = fact.evidenceText, !evidence.isEmpty { out += "  > \(text(evidence))\n" }
    return out
  }

  /// Signs that mean something anywhere in a line, escaped (CommonMark 2.4); those that mean
  /// something at the start of one too, since a fact begins there.
  private func text(_ text: String) -> String {
    var out = ""
    let scalars = Array(clean(text).collapsingWhitespace.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let isSpecial =
        switch scalar {
        case "\\", "`", "*", "_", "[", "]", "<", ">", "&", "#", "|", "~", "!", "$": true
        case "-", "+", "=": index == 0
        // "1." would begin a list; bare addresses become links in many readers.
        case ".", ")": scalars[..<index].allSatisfy { ("0"..."9").contains($0) } && index > 0
        case ":": scalars[(index + 1)...].starts(with: ["/", "/"])
        default: false
        }
      if isSpecial { out += "\\" }
      out.unicodeScalars.append(scalar)
    }
    return out
  }
}
