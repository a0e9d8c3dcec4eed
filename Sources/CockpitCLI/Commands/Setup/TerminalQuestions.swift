import CockpitSession
import CTermSupport
import CockpitFiles
import Dispatch
import Foundation
import TerminalCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The answers to a question: a word or its first letter. Nothing else counts: input meant for
/// another question, such as a token, must not match by its first letter.
protocol AnswerChoice: RawRepresentable, CaseIterable, Equatable where RawValue == String {}

extension AnswerChoice {
  var letter: String { String(rawValue.prefix(1)) }

  init?(answer: String) {
    let answer = answer.lowercased()
    guard let choice = Self.allCases.first(where: { answer == $0.letter || answer == $0.rawValue })
    else { return nil }
    self = choice
  }
}

enum YesOrNo: String, AnswerChoice { case yes, no }

/// Questions to the person at the terminal, one line each, on standard error: standard output is for
/// data. A signal that ends the program gives the echo back first.
@MainActor
final class TerminalQuestions {
  private let output: Output
  private let unchanged: String
  private var signals: CaughtSignals?
  /// The modes to go back to, while a secret is typed.
  private var modesBefore: termios?

  /// - Parameter unchanged: what is said if the input ends before the last answer.
  init(in environment: Environment, unchanged: String = "nothing was saved") {
    output = environment.output
    self.unchanged = unchanged
    signals = CaughtSignals([SIGINT, SIGTERM, SIGHUP, SIGQUIT]) { [unowned self] number in
      echo()
      output.remark("")
      environment.end(.exit(128 + number))
    }
  }

  func close() {
    echo()
    signals?.close()
    signals = nil
  }

  /// Says something, in lines that are broken between words where the terminal ends.
  func say(_ text: String) {
    var (rows, columns): (Int32, Int32) = (0, 0)
    let isKnown = cterm_window_size(STDERR_FILENO, &rows, &columns) && columns > 0
    for line in PlainText.lines(text) {
      for part in isKnown ? line.wrapped(to: Int(columns)) : [line] { output.remark(part) }
    }
  }

  /// Prompts for one line.
  ///
  /// - Parameters:
  ///   - standard: the meaning of an empty line; shown in brackets.
  ///   - isSecret: whether to turn off echo.
  /// - Returns: the trimmed input, or `standard`.
  /// - Throws: `Failure` at end of file (Ctrl-D).
  func ask(
    _ question: String, standard: String = "", isSecret: Bool = false
  ) async throws(Failure) -> String {
    let shown = standard.isEmpty ? "" : " [\(standard)]"
    let prompt = PlainText("\(question)\(shown): ", limit: 400)
    // Before the prompt, so that early input is not echoed either.
    if isSecret { hideEcho() }
    output.prompt(prompt)
    let line = await nextLine()
    if isSecret {
      echo()
      output.remark("")  // the line end was not echoed either
    }
    guard let line else {
      output.remark("")
      throw Failure(.failed, "\(unchanged): the input ended before the last answer")
    }
    let answer = line.trimmingCharacters(in: .whitespacesAndNewlines)
    return answer.isEmpty ? standard : answer
  }

  /// Asks until the answer is one of the choices.
  func choose<Choice: AnswerChoice>(
    _ question: String, of choices: Choice.Type, standard: Choice
  ) async throws(Failure) -> Choice {
    while true {
      if let choice = Choice(answer: try await ask(question, standard: standard.letter)) {
        return choice
      }
      say("Answer with one letter: \(Choice.allCases.map(\.letter).joined(separator: ", ")).")
    }
  }

  /// The line discipline edits the line; it comes when Enter is pressed. nil at the end.
  private func nextLine() async -> String? {
    await withCheckedContinuation { continuation in
      let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
      var bytes: [UInt8] = []
      source.setEventHandler {
        var chunk = [UInt8](repeating: 0, count: 4096)
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return }
        bytes += chunk.prefix(max(0, count))
        guard count <= 0 || bytes.last == 0x0A else { return }
        source.cancel()
        let isEnd = count <= 0 && bytes.isEmpty
        continuation.resume(returning: isEnd ? nil : String(decoding: bytes, as: UTF8.self))
      }
      source.activate()
    }
  }

  /// Calls the body for every line that is typed, until the source is cancelled.
  func lines(_ body: @escaping @MainActor () -> Void) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
    source.setEventHandler {
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR || errno == EAGAIN { return }
      guard count > 0 else { return source.cancel() }
      MainActor.assumeIsolated { body() }
    }
    source.activate()
    return source
  }

  /// Writes over the line that stands there, which is as long at least.
  func overwrite(_ text: String) {
    output.sequence([0x0D])
    output.prompt(PlainText(text, limit: 80))
  }

  private func hideEcho() {
    var modes = termios()
    guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
    modesBefore = modes
    // Stopped here the shell would get a terminal that shows nothing.
    signal(SIGTSTP, SIG_IGN)
    modes.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
  }

  private func echo() {
    guard var modes = modesBefore else { return }
    modesBefore = nil
    tcsetattr(STDIN_FILENO, TCSANOW, &modes)
    signal(SIGTSTP, SIG_DFL)
  }
}
