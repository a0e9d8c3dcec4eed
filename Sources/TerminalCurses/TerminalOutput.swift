import CTermSupport
import Dispatch
import Foundation
internal import MainLoop

/// Non-blocking output to the terminal: a terminal that stops reading must not keep the program from
/// quitting.
///
/// Buffers bytes the terminal does not accept. No frame should be drawn while `isBlocked`, so that the
/// buffer holds at most one.
@MainActor
final class TerminalOutput {
  private let descriptor: Int32
  /// False if the terminal could not be reopened: the shared descriptor blocks, so writes are small and
  /// only made when poll(2) reports room.
  private let isOwn: Bool
  private var waiting: [UInt8] = []
  private let loop: any EventLoop
  /// Set while waiting for the terminal.
  private var watch: (any DescriptorWatch)?
  private var isFailed = false
  /// Bytes accepted by the terminal.
  private(set) var writtenBytes = 0

  /// Called when the buffer has been written out.
  var onDrained: @MainActor () -> Void = {}
  /// Called after a stall, with its duration in ms.
  var onStall: @MainActor (Int) -> Void = { _ in }
  private var stalledSince: DispatchTime?
  /// Called when the terminal is gone.
  var onFailure: @MainActor () -> Void = {}

  init(descriptor: Int32, loop: any EventLoop) {
    self.loop = loop
    let own = cterm_open_output(descriptor)
    isOwn = own >= 0
    self.descriptor = own >= 0 ? own : descriptor
  }

  var isBlocked: Bool { !waiting.isEmpty }

  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    guard !isFailed, !bytes.isEmpty else { return }
    waiting += bytes
    if watch == nil { drain() }
  }

  /// Writes as much as the terminal accepts and waits for the rest.
  private func drain() {
    var start = 0
    write: while start < waiting.count, isReady {
      let length = isOwn ? waiting.count - start : min(256, waiting.count - start)
      let written = waiting[start..<start + length].withUnsafeBytes {
        write(descriptor, $0.baseAddress, $0.count)
      }
      switch (written, errno) {
      case (1..., _):
        start += written
        writtenBytes += written
      case (_, EINTR): continue write
      case (0, _), (_, EAGAIN): break write
      default:
        fail()
        return
      }
    }
    waiting.removeFirst(start)
    if waiting.isEmpty {
      guard watch != nil else { return }
      stopWaiting()
      if let since = stalledSince {
        stalledSince = nil
        onStall(Int((DispatchTime.now().uptimeNanoseconds - since.uptimeNanoseconds) / 1_000_000))
      }
      onDrained()
    } else if watch == nil {
      stalledSince = .now()
      startWaiting()
    }
  }

  private var isReady: Bool {
    guard !isOwn else { return true }
    var poller = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&poller, 1, 0) > 0 && poller.revents & Int16(POLLOUT) != 0
  }

  private func startWaiting() {
    let watch = loop.watch(descriptor) { [weak self] _ in self?.drain() }
    watch.wanted = .writing
    self.watch = watch
  }

  private func stopWaiting() {
    watch?.cancel()
    watch = nil
  }

  private func fail() {
    isFailed = true
    waiting = []
    stopWaiting()
    onFailure()
  }

  /// Writes the last bytes, waiting at most 100 ms. False if they were not all accepted.
  func finish(_ text: String) -> Bool {
    let bytes = waiting + Array(text.utf8)
    waiting = []
    stopWaiting()
    guard !isFailed else { return false }
    return bytes.withUnsafeBytes { cterm_write_all(descriptor, $0.baseAddress, $0.count, 100) }
  }

  /// Ends the output; later sends are ignored.
  func close() {
    isFailed = true
    stopWaiting()
    if isOwn { Foundation.close(descriptor) }
  }
}
