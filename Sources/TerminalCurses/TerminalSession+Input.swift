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

  /// Stops reading keys.
  func stopListening() {
    keyboard?.cancel()
    keyboard = nil
  }

  private func readInput() {
    // The descriptor is shared with the shell, so it must stay blocking.
    var poller = pollfd(fd: options.input, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, 0) > 0 else { return }
    var count = 0
    // On the stack, because most reads are one key.
    let bytes = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 16384) { buffer in
      count = read(options.input, buffer.baseAddress, buffer.count)
      return Array(buffer[..<max(0, count)])
    }
    guard count > 0 else {
      // End of file or EIO: the terminal is gone, even without SIGHUP.
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

  /// Resolves an incomplete sequence if no more bytes arrive in time.
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
      guard keyboard != nil else { return }  // an event may have closed the session
      if case .reply(let reply) = event { learn(reply) }
      if whenPlainEnds != nil {
        if case .key = event { endPlain() }
        continue  // the plain screen ends with any key and ignores the rest
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
