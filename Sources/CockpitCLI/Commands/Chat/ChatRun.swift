import ArgumentParser
import CockpitChat
import CockpitSession
import CockpitStores
import TerminalCore

/// Prints one answer as it comes, and ends with its exit code.
@MainActor
final class ChatRun {
  private enum End {
    case answer(ChatEnd)
    /// The number of the signal.
    case signal(Int32)
    case cancelled
  }

  /// Two seconds after a signal the program is ended from outside.
  private static let cancelMs = 1_500

  private let environment: Environment
  private let json: Bool
  private let session: String
  private var printer = AnswerPrinter()
  private var done: (@MainActor (End) -> Void)?
  private var signal: Int32?
  private var usage: ChatUsage?
  /// Where each text replaces the one before: the last, which is printed at the end.
  private var whole: String?
  private var takesWholeTexts = false

  init(_ environment: Environment, json: Bool, session: String) {
    self.environment = environment
    self.json = json
    self.session = session
  }

  /// - Throws: `Failure` or `ExitCode` unless the answer is complete.
  func run(_ turn: ChatTurn, on connection: ChatConnection) async throws {
    takesWholeTexts = connection.backend.abilities.contains(.wholeTexts)
    let signals = environment.scope == nil ? EndSignal() : nil
    var answer: (any ChatAnswer)?
    let end = await awaitCallback(ifCancelled: End.cancelled) { done in
      self.done = done
      answer = connection.backend.send(turn) { [weak self] in self?.take($0) }
      guard let signals else { return }
      Task { @MainActor in
        let number = await signals.first()
        self.signal = number
        answer?.cancel()
        // `ended` follows at once, unless the server is out of reach.
        connection.after(ms: Self.cancelMs) { self.finish(.signal(number)) }
      }
    }
    if case .cancelled = end { answer?.cancel() }
    if !json { environment.output.write(printer.end()) }
    if let signal { throw ExitCode(128 + signal) }
    switch end {
    case .answer(.completed): sayUsage()
    case .answer(.aborted): throw Failure(.failed, "The answer was stopped.")
    case .answer(.failed(let failure)):
      if json { throw ExitCode(Failure(failure).code) }
      throw Failure(failure)
    case .signal(let number): throw ExitCode(128 + number)
    case .cancelled: throw Failure.interrupted
    }
  }

  private func take(_ event: ChatEvent) {
    if json {
      environment.output.line(ChatJSON.line(event, session: session))
    } else {
      write(event)
    }
    guard case .ended(let end) = event else { return }
    finish(.answer(end))
  }

  private func finish(_ end: End) {
    done?(end)
    done = nil
  }

  private func write(_ event: ChatEvent) {
    switch event {
    case .text(let more): environment.output.write(printer.add(more))
    case .replaced(let text) where takesWholeTexts: whole = text
    case .ended: if let whole { environment.output.write(printer.add(whole)) }
    case .replaced(let whole):
      environment.output.write(printer.end())
      environment.output.complain("The agent has put its answer right; this is the whole of it:")
      printer = AnswerPrinter()
      environment.output.write(printer.add(whole))
    case .tool(let tool): say(tool)
    case .usage(let usage): self.usage = usage
    case .started, .phase, .model, .thinking: break
    }
  }

  private func say(_ tool: ChatTool) {
    let time = tool.durationMs.map { " in \(Double($0 / 100) / 10) s" } ?? ""
    switch tool.state {
    case .running: environment.output.complain("tool \(tool.name) …")
    case .done: environment.output.complain("tool \(tool.name) done\(time)")
    case .failed: environment.output.complain("tool \(tool.name) failed\(time)")
    case .unknown:
      environment.output.complain("tool \(tool.name): the run ended, its outcome is not known")
    }
  }

  private func sayUsage() {
    guard !json, let usage else { return }
    var parts: [String] = []
    if let input = usage.inputTokens { parts.append("\(input) tokens in") }
    if let output = usage.outputTokens { parts.append("\(output) out") }
    if parts.isEmpty, let total = usage.totalTokens { parts.append("\(total) tokens") }
    if let cost = usage.costUSD, cost.isFinite, (0..<1_000_000).contains(cost) {
      let hundredths = Int((cost * 10_000).rounded())
      let digits = String(hundredths % 10_000)
      parts.append(
        "$\(hundredths / 10_000).\(String(repeating: "0", count: 4 - digits.count))\(digits)")
    }
    if !parts.isEmpty { environment.output.complain(parts.joined(separator: ", ")) }
  }
}

/// Text of an answer → bytes that are safe to print, with one line break at the end of all.
struct AnswerPrinter {
  /// Line breaks that wait for more text.
  private var breaks = 0
  private var hasText = false

  /// The bytes of a piece of text.
  mutating func add(_ more: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var words = ""
    func flush() {
      if !words.isEmpty { bytes += PlainText(words).description.utf8 }
      words = ""
    }
    for scalar in more.unicodeScalars {
      switch scalar {
      case "\n":
        flush()
        if hasText { breaks += 1 }
      case "\r": continue
      default:
        if breaks > 0 { bytes += [UInt8](repeating: 0x0A, count: breaks) }
        (breaks, hasText) = (0, true)
        if scalar == "\t" {
          flush()
          bytes.append(0x09)
        } else {
          words.unicodeScalars.append(scalar)
        }
      }
    }
    flush()
    return bytes
  }

  /// The end of the answer.
  mutating func end() -> [UInt8] {
    defer { (breaks, hasText) = (0, false) }
    return hasText ? [0x0A] : []
  }
}
