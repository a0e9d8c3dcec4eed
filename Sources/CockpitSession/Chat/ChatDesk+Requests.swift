import CockpitChat
import CockpitPanes
import CockpitVoice
import TerminalCore
import VoicePipeline

extension ChatDesk {
  func abort() {
    guard let answer = answers[current] else { return say("no answer is under way") }
    answer.cancel()
    say("asked the server to stop")
    voice?.perform(.interrupt)
  }

  func askAgents() {
    if agents == .asking { return }
    agents = .asking
    backend.agents { [weak self] result in
      switch result {
      case .success(let found): self?.agents = .known(found)
      case .failure(let failure): self?.agents = .failed(failure.sentence)
      }
    }
  }
}
