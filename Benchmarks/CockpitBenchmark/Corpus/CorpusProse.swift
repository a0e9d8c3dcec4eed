/// Text of the kinds that actions carry: chat, prompts with line breaks and headings, names. All of
/// it is invented; escapes and characters beyond ASCII come about as often as in chat.
struct CorpusProse {
  private static let words = [
    "lantern", "the", "harbor", "a", "build", "ready", "when", "someone", "moved", "cable", "and",
    "to", "workshop", "thursday", "it", "is", "amber", "notes", "release", "we", "should", "test",
    "glaze", "orbit", "not", "for", "voice", "channel", "paint", "of", "garden", "quiet", "maybe",
  ]
  private static let asides = [
    "\\n", "\\\"ok\\\"", "caf\u{e9}", "\u{1F525}", "\u{2014}", "\u{65E5}\u{672C}\u{8A9E}",
    "\\ud83c\\udfb2", "\\t- ",
  ]

  /// About so many bytes of words, escaped for a JSON string.
  static func sentence(_ count: Int, _ random: inout CorpusRandom) -> String {
    var text = ""
    while text.utf8.count < count {
      if !text.isEmpty { text += " " }
      text += random.number(0...29) == 0 ? random.pick(asides) : random.pick(words)
    }
    return text
  }

  /// One long prompt to take pieces from: building each prompt anew would measure the generator.
  static func prompt(_ count: Int, _ random: inout CorpusRandom) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(count + 200)
    while text.count < count {
      if random.number(0...5) == 0 {
        text += "\\n\\n=== ".utf8
        text += sentence(14, &random).utf8
        text += " ===\\n".utf8
      }
      text += sentence(random.number(40...160), &random).utf8
      text += ".\\n".utf8
    }
    return text
  }
}
