internal import Children
internal import CockpitVoice
internal import MainLoop
internal import Networking

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program whose streams are served by the main loop: nothing here waits.
@MainActor
final class StreamChild {
  private static let chunk = 65_536
  /// Of its standard error the end is kept.
  private static let errorLimit = 2_048

  private let pipes: PipedChild
  private let host: VoiceHost
  private var watches: [Int32: any DescriptorWatch] = [:]
  private var input: [UInt8] = []
  private var inputAt = 0
  private var closesInput = false
  private var isInputOpen = true
  private var end: ChildEnd?
  private var isDone = false
  private var killTimer: (any LinkTimer)?
  private var errors: [UInt8] = []

  /// Bytes of its standard output.
  var onOutput: ([UInt8]) -> Void = { _ in }
  /// All that was given to `write` is in the pipe.
  var onInputTaken: () -> Void = {}
  /// It is over and its output was read; not called after `stop`.
  var onEnd: (ChildEnd) -> Void = { _ in }

  init(_ program: Program, in host: VoiceHost) throws(ChildFailure) {
    pipes = try PipedChild.start(program)
    self.host = host
    for descriptor in [pipes.output, pipes.errors] {
      let watch = host.loop.watch(descriptor) { [weak self] _ in self?.read(descriptor) }
      watch.wanted = .reading
      watches[descriptor] = watch
    }
    let watch = host.loop.watch(pipes.input) { [weak self] _ in self?.feed() }
    watches[pipes.input] = watch
    pipes.child.whenOver { [self] end in ended(end) }
  }

  /// The end of what it said on standard error, in one line.
  var complaint: String {
    let lines = String(decoding: errors, as: UTF8.self).split(whereSeparator: \.isNewline)
    return String(lines.last { !$0.allSatisfy(\.isWhitespace) }?.prefix(200) ?? "")
  }

  /// Bytes that its standard input has not taken yet.
  var unsent: Int { input.count - inputAt }

  func write(_ bytes: [UInt8]) {
    guard isInputOpen else { return }
    if inputAt == input.count { (input, inputAt) = (bytes, 0) } else { input += bytes }
    feed()
  }

  /// Ends its standard input after what was written.
  func endInput() {
    closesInput = true
    feed()
  }

  /// Ends it and its group; nothing is called any more.
  ///
  /// - Parameter gently: with SIGTERM, and after 300 ms with SIGKILL; else with SIGKILL at once.
  func stop(gently: Bool = false) {
    guard !isDone else { return }
    isDone = true
    (onOutput, onInputTaken, onEnd) = ({ _ in }, {}, { _ in })
    for descriptor in Array(watches.keys) { close(descriptor) }
    guard end == nil else { return }
    pipes.child.signal(gently ? SIGTERM : SIGKILL)
    guard gently else { return }
    killTimer = host.after(300) { [self] in
      if end == nil { pipes.child.signal(SIGKILL) }
    }
  }

  private func ended(_ end: ChildEnd) {
    self.end = end
    killTimer?.cancel()
    guard !isDone else { return }
    // What it wrote before its end is in the pipes, 64 KiB of each.
    for descriptor in [pipes.errors, pipes.output] where !isDone { read(descriptor) }
    guard !isDone else { return }
    isDone = true
    let body = onEnd
    (onOutput, onInputTaken, onEnd) = ({ _ in }, {}, { _ in })
    for descriptor in Array(watches.keys) { close(descriptor) }
    body(end)
  }

  private func read(_ descriptor: Int32) {
    guard watches[descriptor] != nil else { return }
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    // Four chunks a turn: a flood must leave the loop its turn.
    for _ in 0..<4 {
      let count = Self.read(descriptor, &buffer)
      guard count > 0 else { return }
      if descriptor == pipes.errors {
        errors = Array((errors + buffer.prefix(count)).suffix(Self.errorLimit))
      } else {
        onOutput(Array(buffer.prefix(count)))
      }
      if isDone || count < Self.chunk { return }
    }
  }

  private func feed() {
    guard isInputOpen else { return }
    while inputAt < input.count {
      let count = input.withUnsafeBytes { bytes in
        Self.write(pipes.input, bytes, from: inputAt)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        watches[pipes.input]?.wanted = .writing
        return
      }
      guard count > 0 else {
        (input, inputAt) = ([], 0)
        return close(pipes.input)
      }
      inputAt += count
    }
    (input, inputAt) = ([], 0)
    watches[pipes.input]?.wanted = []
    if closesInput {
      return close(pipes.input)
    }
    onInputTaken()
  }

  private func close(_ descriptor: Int32) {
    if descriptor == pipes.input { isInputOpen = false }
    let other = pipes.others[descriptor]
    watches.removeValue(forKey: descriptor)?.cancel {
      Self.close(descriptor)
      if let other { Self.close(other) }
    }
  }

  private static func read(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, &buffer, buffer.count)
    #else
      Darwin.read(descriptor, &buffer, buffer.count)
    #endif
  }

  private static func write(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, from start: Int
  ) -> Int {
    guard let base = bytes.baseAddress else { return 0 }
    #if canImport(Glibc)
      return Glibc.write(descriptor, base + start, bytes.count - start)
    #else
      return Darwin.write(descriptor, base + start, bytes.count - start)
    #endif
  }

  private nonisolated static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}

extension StreamChild {
  /// Why a program that has ended did not do its work.
  ///
  /// - Parameters:
  ///   - what: such as `recorder`.
  ///   - service: its name in the configuration; nil for one that has none.
  func problem(
    _ what: String, _ command: VoiceProgram, service: String? = nil, _ end: ChildEnd
  ) -> VoiceProblem {
    let name = service ?? command.name
    if case .exited(let status) = end, status == 127 || status == 126 {
      let needs = service == nil ? "was not found" : "needs '\(command.name)', which was not found"
      return VoiceProblem(
        "the \(what) '\(name)' \(needs); install it, or name another one in [voice]")
    }
    let how =
      switch end {
      case .exited(let status): "ended with status \(status)"
      case .signaled(let number): "was ended by signal \(number)"
      }
    let words = complaint.isEmpty ? "" : " (\(complaint))"
    return VoiceProblem("the \(what) '\(name)' \(how)\(words)")
  }
}
