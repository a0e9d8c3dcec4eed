import CockpitAnswers
import CockpitPanes
import CockpitSession
import Dispatch
import Foundation
import LenientJSON
import MainLoop
import Synchronization
import TerminalCore

/// Carries out calls of tools: runs the verb in this process, against backends that stay open, and keeps the
/// last answers for their next parts.
@MainActor
final class AgentCalls {
  /// What a call ends with.
  typealias WhenDone = @MainActor (JSONValue) -> Void

  let tools: [AgentTool]
  private let environment: CockpitSession.Environment
  private let verbs: ProgramVerbs
  private let loop: any EventLoop
  private let options: [(name: String, value: String?)]
  private let patienceMs: Int
  private let kept: KeptBackends
  private let random: @Sendable () -> UInt64
  private var answers: [AgentAnswer] = []
  private var lastAnswer = 0
  private var current: Run?
  /// The task of the last run: over when nothing of it is left.
  private var lastTask: Task<Void, Never>?
  /// Whether structured results go out; from `initialize`.
  var isStructured = true

  /// Answers whose next part may be asked for.
  private static let mostKept = 4
  /// Bytes that a verb may print.
  private static let mostPrinted = 16 << 20
  /// A verb that asks for more time gets at most so much, in s.
  private static let longestSeconds = 60

  private final class Run {
    let scope: RunScope
    let capture: AgentCapture
    let whenDone: WhenDone
    var task: Task<Void, Never>?
    var timer: (any LoopTimer)?

    init(_ scope: RunScope, _ capture: AgentCapture, _ whenDone: @escaping WhenDone) {
      self.scope = scope
      self.capture = capture
      self.whenDone = whenDone
    }
  }

  /// - Parameters:
  ///   - options: the options that select the bot, with their values.
  ///   - patienceMs: how long a call may take, in ms.
  ///   - random: where the words of the fences come from.
  init(
    _ tools: [AgentTool], in environment: CockpitSession.Environment, on loop: any EventLoop,
    verbs: ProgramVerbs, options: [(name: String, value: String?)], patienceMs: Int,
    random: @escaping @Sendable () -> UInt64
  ) {
    self.tools = tools
    self.environment = environment
    self.verbs = verbs
    self.loop = loop
    self.options = options
    self.patienceMs = patienceMs
    self.random = random
    kept = KeptBackends(loop: loop)
  }

  /// Starts a call; the one before has ended or was cancelled.
  func start(_ name: String, _ arguments: JSONObject, whenDone: @escaping WhenDone) {
    guard let tool = tools.first(where: { $0.name == name }) else {
      return whenDone(Self.refused("There is no tool of that name."))
    }
    let given: AgentTool.Given
    do throws(AgentTool.Mistake) {
      given = try tool.given(arguments)
    } catch {
      return whenDone(Self.refused(error.sentence))
    }
    if let cursor = given["cursor"] { return whenDone(next(of: tool, cursor)) }
    run(tool, given, whenDone)
  }

  /// Ends the running call without an answer.
  func cancel() {
    guard let run = current else { return }
    finish(run)
  }

  /// Ends everything.
  func close() {
    cancel()
    kept.close()
  }

  private func run(_ tool: AgentTool, _ given: AgentTool.Given, _ whenDone: @escaping WhenDone) {
    let previous = lastTask
    let capture = AgentCapture(limit: Self.mostPrinted)
    let run = Run(RunScope(loop: loop), capture, whenDone)
    current = run
    let askedMs = environment.wallMs()
    capture.use(tool.isPast(given) ? "recorded" : tool.isOwnWords ? "program" : "live")
    let end: @MainActor @Sendable (AgentAnswer.End) -> Void = { [weak self, weak run] how in
      guard let self, let run, self.current === run else { return }
      self.finish(run)
      run.whenDone(self.keep(tool, run.capture.printed(how), askedMs))
    }
    capture.whenTooMuch = { Task { @MainActor in end(.tooMuch) } }
    limit(run, toMs: patienceMs, end)
    run.scope.extend = { [weak self, weak run] seconds in
      guard let self, let run else { return }
      self.limit(run, toMs: min(seconds, Self.longestSeconds) * 1_000, end)
    }
    let words: @Sendable () -> [String] = { [verbs, options] in
      tool.words(given, options: options, verbs.table())
    }
    let inner = inner(run.scope, capture) { code in Task { @MainActor in end(.exited(code)) } }
    let task = Task { @MainActor [verbs] in
      // Only one verb at a time uses the kept connections.
      await previous?.value
      var environment = inner
      environment.arguments = await OwnThread.run(words)
      let code = await verbs.run(environment)
      end(.exited(code))
    }
    run.task = task
    lastTask = task
  }

  /// The environment of a verb: no terminal, its output is kept.
  private func inner(
    _ scope: RunScope, _ capture: AgentCapture, _ whenEnded: @escaping @Sendable (Int32) -> Void
  ) -> CockpitSession.Environment {
    var variables = environment.variables
    variables["NO_COLOR"] = "1"
    var inner = CockpitSession.Environment(
      arguments: [], variables: variables,
      output: Output(
        .functions(data: { capture.take(data: $0) }, speech: { capture.take(speech: $0) }),
        variables: variables, areTerminals: (false, false)),
      terminals: .init(input: false, output: false, error: false), readLine: { nil },
      wallMs: environment.wallMs
    ) {
      switch $0 {
      case .exit(let code), .immediately(let code): whenEnded(code)
      case .withoutReader: whenEnded(0)
      }
    }
    inner.scope = scope
    inner.keptBackends = kept
    inner.textBesideJSON = { capture.take(line: $0.description) }
    inner.takesCoverage = { capture.take(coverage: $0, gaps: $1) }
    inner.recordingWasUsed = { capture.useRecording(alone: $0) }
    return inner
  }

  private func limit(
    _ run: Run, toMs limitMs: Int, _ end: @escaping @MainActor @Sendable (AgentAnswer.End) -> Void
  ) {
    run.timer?.unset()
    let timer = loop.makeTimer { end(.timedOut(seconds: max(1, limitMs / 1_000))) }
    timer.set(
      dueNs: DispatchTime.now().uptimeNanoseconds + UInt64(limitMs) * 1_000_000,
      leewayNs: 1_000_000)
    run.timer = timer
  }

  private func finish(_ run: Run) {
    if current === run { current = nil }
    run.timer?.unset()
    run.task?.cancel()
    run.scope.end()
  }

  // MARK: Answers

  private func keep(
    _ tool: AgentTool, _ printed: AgentAnswer.Printed, _ askedMs: Int64
  ) -> JSONValue {
    // A token that was changed, or a connection that broke, is not used again.
    if case .exited(let code) = printed.end, code != 3, code != 4 {} else { kept.close() }
    lastAnswer += 1
    let answer = AgentAnswer(tool: tool, printed: printed, askedMs: askedMs, number: lastAnswer)
    answers.append(answer)
    if answers.count > Self.mostKept { answers.removeFirst() }
    return answer.result(from: (0, 0), nonce: nonce(), isStructured: isStructured)
  }

  private func next(of tool: AgentTool, _ cursor: String) -> JSONValue {
    guard let position = AgentAnswer.position(of: cursor),
      let answer = answers.first(where: {
        $0.number == position.answer && $0.tool.name == tool.name
      })
    else {
      return Self.refused("This answer is not kept any more; ask again without cursor.")
    }
    return answer.result(
      from: (position.element, position.line), nonce: nonce(), isStructured: isStructured)
  }

  private func nonce() -> String {
    [random(), random()].map { String($0, radix: 16) }.joined()
  }

  /// A call that was not carried out.
  private static func refused(_ sentence: String) -> JSONValue {
    .body([
      (
        "content",
        .array([.body([("type", .string("text")), ("text", .string(sentence))])])
      ), ("isError", .bool(true)),
    ])
  }
}

/// What a verb prints, from any thread.
final class AgentCapture: Sendable {
  private struct State {
    var data: [UInt8] = []
    var speech: [UInt8] = []
    var lines: [String] = []
    var size = 0
    var sources: Set<String> = []
    var coverage: Answer.Coverage?
    var gaps: Int?
    var isFull = false
    var whenTooMuch: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())
  private let limit: Int

  init(limit: Int) { self.limit = limit }

  var whenTooMuch: (@Sendable () -> Void)? {
    get { state.withLock { $0.whenTooMuch } }
    set { state.withLock { $0.whenTooMuch = newValue } }
  }

  func use(_ source: String) { _ = state.withLock { $0.sources.insert(source) } }

  func useRecording(alone: Bool) {
    state.withLock { state in
      if alone { state.sources = [] }
      state.sources.insert("recorded")
    }
  }

  func take(coverage: Answer.Coverage, gaps: Int) {
    state.withLock { ($0.coverage, $0.gaps) = (coverage, gaps) }
  }

  func take(data bytes: [UInt8]) { add(bytes.count) { $0.data += bytes } }
  func take(speech bytes: [UInt8]) { add(bytes.count) { $0.speech += bytes } }
  func take(line: String) { add(line.utf8.count) { $0.lines.append(line) } }

  private func add(_ count: Int, _ body: (inout State) -> Void) {
    let full = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isFull else { return nil }
      state.size += count
      guard state.size <= limit else {
        state.isFull = true
        return state.whenTooMuch
      }
      body(&state)
      return nil
    }
    full?()
  }

  /// What was printed, cleaned.
  func printed(_ end: AgentAnswer.End) -> AgentAnswer.Printed {
    let state = state.withLock { $0 }
    var printed = AgentAnswer.Printed(end: end, sources: state.sources)
    (printed.coverage, printed.gaps) = (state.coverage, state.gaps)
    printed.elements = state.data.split(separator: 0x0A).map { line in
      let value = try? JSONValue.parse(Array(line), sparesRows: true)
      return UntrustedText.cleaned(value ?? .string(String(decoding: line, as: UTF8.self)))
    }
    printed.lines = state.lines.map(UntrustedText.cleaned)
    printed.notes = state.speech.split(separator: 0x0A).map { line in
      let text = String(decoding: line, as: UTF8.self)
      let words = text.hasPrefix("clanky-cockpit: ") ? text.dropFirst(16) : text[...]
      return UntrustedText.cleaned(String(words))
    }
    return printed
  }
}
