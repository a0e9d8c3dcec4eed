import CockpitChat
import CockpitVoice
import Networking
import TerminalCore
import VoicePipeline

/// Conversations by voice.
extension ChatDesk {
  /// Sends what was spoken; false if it cannot be sent now.
  func send(spoken text: String) -> Bool {
    // What is typed beside a spoken message stays.
    guard let problem = problem(with: text, in: current, isSpoken: true, keepsDraft: true) else {
      return true
    }
    say(problem)
    return false
  }

  /// The answer that begins is read aloud, if it is to be.
  func beginReading(in id: ChatChannel.ID, isSpoken: Bool) {
    guard let voice, isSpoken || readsTyped else { return }
    spokenChannel = id
    voice.answerBegan()
  }

  /// Gives the answer that is read aloud to the voice pipeline.
  func read(_ event: ChatEvent, _ answer: ChatEntry.ID, in id: ChatChannel.ID) {
    guard let voice, spokenChannel == id else { return }
    switch event {
    case .text, .replaced:
      if let entry = transcripts[id]?.entries.last(where: { $0.id == answer }) {
        voice.answer(entry.text)
      }
    case .ended:
      spokenChannel = nil
      voice.answerEnded()
    default: break
    }
  }

  /// Adds a line of a conversation by voice, which needs no answer.
  func note(spoken text: String, isAgent: Bool) {
    let id = current
    load(id)
    let now = clock.wallMs
    let line: ChatEntry.ID?
    if isAgent {
      line = transcripts[id]?.beginAnswer(atMs: now)
      if let line {
        transcripts[id]?.apply(.replaced(text), to: line, atMs: now)
        transcripts[id]?.apply(.ended(.completed), to: line, atMs: now)
      }
    } else {
      line = transcripts[id]?.send(text, idempotencyKey: makeKey(), atMs: now).id
    }
    if let entry = transcripts[id]?.entries.last(where: { $0.id == line }) {
      _ = isSaved(entry, in: id)
    }
  }
}
