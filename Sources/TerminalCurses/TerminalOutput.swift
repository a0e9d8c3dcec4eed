import CTermSupport
import Dispatch
import Foundation
internal import MainLoop

/// The way to the terminal, which never blocks: a terminal that stops reading must not keep the
/// program from quitting.
///
/// Bytes that the terminal does not take wait here. While some do, nobody should draw another
/// frame, so what waits is one frame at most.
@MainActor
final class TerminalOutput {
  private let descriptor: Int32
  /// False where the terminal could not be opened again: then its descriptor is shared and blocks,
  /// so it gets little at a time and only when it says that it has room.
  private let isOwn: Bool
  private var waiting: [UInt8] = []
  private let loop: any EventLoop
  /// There while the terminal is waited for.
  private var watch: (any DescriptorWatch)?
  private var isFailed = false
  /// Bytes that the terminal has taken.
  private(set) var writtenBytes = 0

  /// Everything that waited has been taken.
  var onDrained: @MainActor () -> Void = {}
  /// The terminal took nothing for so many ms, and has now taken everything.
  var onStall: @MainActor (Int) -> Void = { _ in }
  private var stalledSince: DispatchTime?
  /// The terminal is gone.
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

  /// Writes what the terminal takes now and waits for it to take more.
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

  /// Writes the last bytes, waiting a tenth of a second at most. False when they were not taken.
  func finish(_ text: String) -> Bool {
    let bytes = waiting + Array(text.utf8)
    waiting = []
    stopWaiting()
    guard !isFailed else { return false }
    return bytes.withUnsafeBytes { cterm_write_all(descriptor, $0.baseAddress, $0.count, 100) }
  }

  /// The session is over; nothing can be sent any more.
  func close() {
    isFailed = true
    stopWaiting()
    if isOwn { Foundation.close(descriptor) }
  }
}
