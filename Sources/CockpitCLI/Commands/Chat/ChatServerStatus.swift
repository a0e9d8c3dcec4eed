import CockpitChat
import CockpitSession
import CockpitStores
import LenientJSON
import Networking
import TerminalCore

/// `status` and `doctor` for a server that can only be talked to: whether it names its models.
@MainActor
enum ChatServerStatus {
  /// Asks for the models.
  static func models(
    _ settings: Settings, withinMs limitMs: Int, in environment: Environment
  ) async throws -> Result<[ChatAgent], ChatFailure> {
    let connection = try await ChatConnection.open(settings, nil, in: environment)
    defer { connection.close() }
    let late = ChatFailure(
      .connection, "The server did not answer within \(Double(limitMs) / 1_000) s; try again.")
    return await awaitCallback(ifCancelled: .failure(late)) { done in
      connection.after(ms: limitMs) { done(.failure(late)) }
      connection.backend.agents(done)
    }
  }

  /// Prints the line of `status`.
  ///
  /// - Throws: exit code 3 or 4 if the server cannot be reached or refuses.
  static func run(
    _ settings: Settings, json: Bool, withinMs limitMs: Int, in environment: Environment
  ) async throws {
    let result = try await models(settings, withinMs: limitMs, in: environment)
    if Task.isCancelled { throw Failure.interrupted }
    environment.output.line(try line(settings, result, json: json))
    guard case .failure(let failure) = result else { return }
    throw failed(failure)
  }

  /// The line of one server.
  ///
  /// - Parameter more: adds the first members of JSON.
  static func line(
    _ settings: Settings, _ result: Result<[ChatAgent], ChatFailure>, json: Bool,
    _ more: (inout JSONObjectWriter) -> Void = { _ in }
  ) throws(Failure) -> [UInt8] {
    let url = try settings.chatServerURL()
    let models = (try? result.get())?.count
    if json {
      var line = JSONObjectWriter()
      more(&line)
      line.string("kind", "openai")
      line.string("state", models == nil ? "unreachable" : "reachable")
      line.string("backend", url.description)
      line.int("models", models)
      if case .failure(let failure) = result { line.string("detail", failure.sentence) }
      return line.finish()
    }
    let words = models.map { "reachable  \($0) \($0 == 1 ? "model" : "models")" } ?? "unreachable"
    return Array(PlainText("\(words)  \(url)").description.utf8)
  }

  /// A server that answers with a failure cannot be talked to either.
  static func failed(_ failure: ChatFailure) -> Failure {
    let code: Failure.Code = failure.kind == .authentication ? .authentication : .connection
    return Failure(code, failure.sentence)
  }
}
