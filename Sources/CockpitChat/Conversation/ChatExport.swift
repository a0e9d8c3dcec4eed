/// A conversation as a document.
package enum ChatExport {
  /// Markdown: a heading for each message, and its text as it was sent.
  package static func markdown(_ transcript: ChatTranscript, of channel: ChatChannel) -> String {
    var text = "# \(line(channel.name))\n\nAgent: \(line(channel.agent ?? "default"))\n"
    for entry in transcript.entries {
      switch entry.author {
      case .session:
        text += "\n---\n\nNew conversation, session v\(entry.text)\n"
        continue
      case .user: text += "\n## You\n\n"
      case .agent: text += "\n## Agent\n\n"
      }
      text += entry.text
      if !entry.text.hasSuffix("\n") { text += "\n" }
      for image in entry.images { text += "\n[image \(line(image))]\n" }
      for tool in entry.tools {
        let time = tool.durationMs.map { " \($0) ms" } ?? ""
        text += "\nTool: \(line(tool.name)) \(tool.state.rawValue)\(time)\n"
      }
      switch entry.end {
      case .aborted?: text += "\nAborted.\n"
      case .failed(let failure)?: text += "\nFailed: \(line(failure.sentence))\n"
      case .completed?, nil: break
      }
    }
    return text
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
