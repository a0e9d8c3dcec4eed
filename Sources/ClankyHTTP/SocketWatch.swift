import Dispatch

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Watches one descriptor of libcurl. The descriptor is closed by the cancel handlers, never while a
/// source still watches it.
@MainActor
final class SocketWatch {
  private let descriptor: Int32
  private let ready: @MainActor (_ readable: Bool) -> Void
  private var reader: (any DispatchSourceRead)?
  private var writer: (any DispatchSourceWrite)?
  /// Entered once per source, left by its cancel handler.
  private let cancellations = DispatchGroup()
  private var isReading = false
  private var isWriting = false

  init(descriptor: Int32, ready: @escaping @MainActor (_ readable: Bool) -> Void) {
    self.descriptor = descriptor
    self.ready = ready
  }

  /// Watches for exactly these directions. Sources that are not wanted are suspended, not thrown away:
  /// a paused transfer comes back in a moment.
  func watch(reading: Bool, writing: Bool) {
    if reading != isReading {
      isReading = reading
      if reading {
        if reader == nil { reader = makeReader() }
        reader?.resume()
      } else {
        reader?.suspend()
      }
    }
    if writing != isWriting {
      isWriting = writing
      if writing {
        if writer == nil { writer = makeWriter() }
        writer?.resume()
      } else {
        writer?.suspend()
      }
    }
  }

  /// Ends watching, then closes the descriptor.
  func close() {
    reader?.cancel()
    writer?.cancel()
    // A suspended source delivers its cancellation only after it was resumed.
    if !isReading { reader?.resume() }
    if !isWriting { writer?.resume() }
    isReading = true
    isWriting = true
    reader = nil
    writer = nil
    let descriptor = descriptor
    cancellations.notify(queue: .main) { _ = Self.closeDescriptor(descriptor) }
  }

  private nonisolated static func closeDescriptor(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.close(descriptor)
    #elseif canImport(Musl)
      Musl.close(descriptor)
    #else
      Glibc.close(descriptor)
    #endif
  }

  private func makeReader() -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    cancellations.enter()
    source.setCancelHandler { [cancellations] in cancellations.leave() }
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.fired(readable: true) }
    }
    return source
  }

  private func makeWriter() -> any DispatchSourceWrite {
    let source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
    cancellations.enter()
    source.setCancelHandler { [cancellations] in cancellations.leave() }
    source.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.fired(readable: false) }
    }
    return source
  }

  private func fired(readable: Bool) {
    // An event that was under way when the direction was given up.
    guard readable ? isReading && reader != nil : isWriting && writer != nil else { return }
    ready(readable)
  }
}
