import ArgumentParser
import CockpitChat
import CockpitSession
import CockpitStores
import CockpitVoice
import CurlTransport
import Foundation
import LenientJSON
import OpenClawSource
import TerminalCore
import VoicePipeline

/// One spoken exchange without a screen.
@MainActor
final class PttRun {
  private enum Step {
    case text(String)
    /// The pipeline is idle again: nothing was heard, or all was said.
    case idle
    case answer(ChatEnd)
    case signal(Int32)
    case cancelled
  }

  private let environment: Environment
  private let json: Bool
  private let pipeline: VoicePipeline
  private let clock: DispatchClock
  private var connection: ChatConnection?
  private var signals: CaughtSignals?
  private var signal: Int32?
  private var done: (@MainActor (Step) -> Void)?
  private var printer = AnswerPrinter()
  private var answer: (any ChatAnswer)?
  private var text = ""

  init(
    _ settings: Settings, _ voice: VoiceSettings, in environment: Environment, json: Bool
  ) throws {
    self.environment = environment
    self.json = json
    let loop = environment.eventLoop
    clock = DispatchClock(loop: loop)
    let box = Box()
    let host = try VoiceHost(settings, on: loop, clock: clock) {
      box.run?.connection?.backend as? GatewayChat
    }
    pipeline = VoicePipeline(voice, in: host)
    box.run = self
    pipeline.say = { environment.output.complain($0 + ".") }
    pipeline.send = { [weak self] text in
      self?.finish(.text(text))
      return true
    }
    pipeline.onIdle = { [weak self] in self?.finish(.idle) }
    signals = CaughtSignals([SIGINT, SIGTERM, SIGHUP]) { [weak self] in self?.take(signal: $0) }
  }

  /// The host asks for the connection, which is opened later.
  private final class Box {
    weak var run: PttRun?
  }

  func close() {
    signals?.close()
    pipeline.close()
    clock.cancelAll()
  }

  private func finish(_ step: Step) {
    let done = done
    self.done = nil
    done?(step)
  }

  /// The first signal ends the recording, a later one everything.
  private func take(signal number: Int32) {
    if pipeline.board.phase == .recording { return pipeline.perform(.talk) }
    signal = number
    answer?.cancel()
    pipeline.perform(.cancel)
    finish(.signal(number))
  }

  private func next(_ start: () -> Void) async -> Step {
    await awaitCallback(ifCancelled: .cancelled) { done in
      self.done = done
      start()
    }
  }

  /// Records and transcribes.
  ///
  /// - Throws: `Failure` or `ExitCode` unless there is a text.
  func listen() async throws -> String {
    guard pipeline.board.canHear else {
      pipeline.perform(.talk)
      throw ExitCode(Failure.Code.usage.rawValue)
    }
    if !json { environment.output.complain("Speak; Ctrl-C ends the recording.") }
    let step = await next { pipeline.perform(.talk) }
    switch step {
    case .text(let text):
      if json {
        var line = JSONObjectWriter()
        line.string("event", "heard")
        line.string("text", text)
        environment.output.line(line.finish())
      } else {
        environment.output.complain("You: \(text)")
      }
      return text
    case .signal(let number): throw ExitCode(128 + number)
    case .cancelled: throw Failure.interrupted
    // Why was said already.
    case .idle, .answer: throw ExitCode(Failure.Code.failed.rawValue)
    }
  }

  /// Sends the message, prints the answer as it comes and waits until it was read aloud.
  func ask(_ turn: ChatTurn, on connection: ChatConnection, session: String) async throws {
    self.connection = connection
    pipeline.answerBegan()
    let end = await next {
      answer = connection.backend.send(turn) { [weak self] in self?.take($0, session) }
    }
    if !json { environment.output.write(printer.end()) }
    switch end {
    case .answer(.completed): break
    case .answer(.aborted): throw Failure(.failed, "The answer was stopped.")
    case .answer(.failed(let failure)):
      if json { throw ExitCode(Failure(failure).code) }
      throw Failure(failure)
    case .signal(let number): throw ExitCode(128 + number)
    case .cancelled: throw Failure.interrupted
    case .text, .idle: break
    }
    if pipeline.board.phase != .idle {
      let step = await next {}
      if case .signal(let number) = step { throw ExitCode(128 + number) }
    }
    guard json, let exchange = pipeline.board.waterfall.exchanges.last else { return }
    var line = JSONObjectWriter()
    line.string("event", "exchange")
    line.int("record_ms", exchange.ms(.record))
    line.int("text_ms", exchange.ms(.transcribe))
    line.int("first_word_ms", exchange.ms(.think))
    line.int("first_sound_ms", exchange.ms(.speak))
    environment.output.line(line.finish())
  }

  private func take(_ event: ChatEvent, _ session: String) {
    if json {
      environment.output.line(ChatJSON.line(event, session: session))
    }
    switch event {
    case .text(let more):
      text += more
      if !json { environment.output.write(printer.add(more)) }
      pipeline.answer(text)
    case .replaced(let whole):
      text = whole
      if !json {
        environment.output.write(printer.end())
        environment.output.complain(
          "The agent has put its answer right; this is the whole of it:")
        printer = AnswerPrinter()
        environment.output.write(printer.add(whole))
      }
      pipeline.answer(text)
    case .ended(let end):
      // Before the pipeline, which may become idle by it.
      finish(.answer(end))
      pipeline.answerEnded()
    default: break
    }
  }
}
