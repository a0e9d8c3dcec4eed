import CockpitChat
import CockpitFiles
import CockpitPanes
import Networking
import TerminalCore

/// Files of the user: images that go along, and a conversation as a document.
extension ChatDesk {
  func attach(_ path: String) {
    do {
      let image = try ChatImageFile.read(path)
      let going = (images[current] ?? []) + [image]
      if let problem = ChatImage.problem(going) {
        return say(PlainText(problem.sentence, limit: 400))
      }
      images[current] = going
      preview(image.bytes)
      say(PlainText("\(image.name) is attached to the next message", limit: 200))
    } catch {
      say(PlainText("\(error)", limit: 400))
    }
  }

  /// Decodes an image that was attached, beside the main thread.
  private func preview(_ bytes: [UInt8]) {
    let id = previews.attach(in: current)
    Task { [weak self] in
      let preview = await OwnThread.run {
        ImagePreview(decoding: bytes, cells: ImagePreview.ofMessage)
      }
      self?.previews.take(preview, of: id)
    }
  }

  func export(_ path: String?) {
    guard let channel = list[current], let transcript = transcripts[current],
      !transcript.entries.isEmpty
    else { return say("there is nothing to export yet") }
    let path = path.map(ChatImageFile.whole) ?? "chat-\(channel.id)-\(clock.wallMs / 1000).md"
    guard !SafeFile.exists(path) else {
      return say(PlainText("'\(path)' exists already; name another file", limit: 300))
    }
    let text = ChatExport.markdown(transcript, of: channel)
    do throws(FileError) {
      try OutputFile.replace(path, with: Array(text.utf8), instead: "name a file")
      say(PlainText("the conversation is in '\(path)'", limit: 300))
    } catch {
      say(PlainText(error.description, limit: 400))
    }
  }
}
