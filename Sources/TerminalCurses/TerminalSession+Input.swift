import CTermSupport
import Dispatch
import Foundation
internal import MainLoop
import TerminalCore

extension TerminalSession {
  func listen() {
    let watch = loop.watch(options.input) { [weak self] _ in self?.readInput() }
    watch.wanted = .reading
    keyboard = watch
  }

  /// No key is read any more.
  func stopListening() {
    keyboard?.cancel()
    keyboard = nil
  }

  private func readInput() {
    // The descriptor blocks, and is shared with the shell, so it must stay that way.
    var poller = pollfd(fd: options.input, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, 0) > 0 else { return }
    var count = 0
    // Not an array of that size: mostly it is one key.
    let bytes = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
      count = read(options.input, buffer.baseAddress, buffer.count)
      return Array(buffer[..<max(0, count)])
    }
    guard count > 0 else {
      // End of file or EIO: the terminal is gone, even when SIGHUP never came.
      if count == 0 || (errno != EINTR && errno != EAGAIN) {
        stopListening()
        end(.hangUp)
      }
      return
    }
    if !isReadCut { readCount += 1 }
    isReadCut = count > 1 && poll(&poller, 1, 0) > 0
    let restartsClock = parser.restartsClock(bytes)
    if restartsClock {
      escapeTimer?.unset()
      escapeTimer = nil
    }
    deliver(parser.feed(bytes))
    if restartsClock { awaitRest() }
  }

  /// What has begun is decided when nothing more comes in time.
  private func awaitRest() {
    escapeTimer = nil
    guard let timeout = parser.timeout, keyboard != nil else { return }
    escapeTimer = timer(after: timeout) { session in
      session.deliver(session.parser.flush())
      session.awaitRest()
    }
  }

  private func deliver(_ events: [InputEvent]) {
    for event in events {
      guard keyboard != nil else { return }  // an event may have ended it all
      if case .reply(let reply) = event { learn(reply) }
      if whenPlainEnds != nil {
        if case .key = event { endPlain() }
        continue  // only keys are meant for the plain screen, and any of them ends it
      }
      onEvent(event)
    }
  }

  func timer(
    after delay: Duration, _ body: @escaping @MainActor (TerminalSession) -> Void
  ) -> any LoopTimer {
    let milliseconds = UInt64(max(0, delay / .milliseconds(1)))
    let timer = loop.makeTimer { [weak self] in if let self { body(self) } }
    timer.set(
      dueNs: DispatchTime.now().uptimeNanoseconds + milliseconds * 1_000_000, leewayNs: 0)
    return timer
  }
}
