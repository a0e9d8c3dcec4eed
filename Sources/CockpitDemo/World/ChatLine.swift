/// A line of text chat, the raw material of prompts.
struct ChatLine: Sendable {
  var guild: String
  var speaker: String
  var text: String
}
