import CockpitAnswers
import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import CockpitText
import TerminalCore
import TerminalCurses

/// Two windows side by side.
extension CockpitApp {
  package func carryOut(_ request: CompareRequest) {
    switch request {
    case .stop:
      comparing?.cancel()
      comparing = nil
      compared = nil
    case .swap:
      guard case .ready(let sides) = compared?.phase else { return }
      compared = CompareState(.ready(sides.swapped))
    case .load(let a, let b):
      comparing?.cancel()
      compared = CompareState(.loading("reading"))
      comparing = Task {
        let phase = await comparePhase(a, b)
        guard !Task.isCancelled else { return }
        compared = CompareState(phase)
        frames?.setNeedsFrame(.key)
      }
    }
    frames?.setNeedsFrame(.key)
  }

  private func comparePhase(_ a: CompareWindow, _ b: CompareWindow) async -> CompareState.Phase {
    let run = CompareRun { [weak self] _ in
      guard let self else { throw Failure.interrupted }
      return try compareLoader()
    }
    do {
      return .ready(try await run.compare(a, b))
    } catch {
      return .failed("no comparison: " + PlainText("\(error)", limit: 300))
    }
  }

  private func compareLoader() throws(Failure) -> CompareLoader {
    let nowMs = shownModel.bot.serverNowMs
    let opened = connector.opened
    return CompareLoader(
      recorded: try recorded(opened, nowMs: nowMs), bot: replay == nil ? live : nil,
      guild: shell.scope.guild, nowMs: nowMs, rules: settings.rules, clock: settings.clock
    ) { [weak self] step in
      guard let self, !Task.isCancelled else { return }
      compared = CompareState(.loading(Self.words(step)))
      frames?.setNeedsFrame(.stream)
    }
  }
}
