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
    let url = try settings.chatServerURL()
    let result = try await models(settings, withinMs: limitMs, in: environment)
    if Task.isCancelled { throw Failure.interrupted }
    let models = (try? result.get())?.count
    if json {
      var line = JSONObjectWriter()
      line.string("kind", "openai")
      line.string("state", models == nil ? "unreachable" : "reachable")
      line.string("backend", url.description)
      line.int("models", models)
      if case .failure(let failure) = result { line.string("detail", failure.sentence) }
      environment.output.line(line.finish())
    } else {
      let words = models.map { "reachable  \($0) \($0 == 1 ? "model" : "models")" } ?? "unreachable"
      environment.output.line(PlainText("\(words)  \(url)"))
    }
    guard case .failure(let failure) = result else { return }
    throw failed(failure)
  }

  /// A server that answers with a failure cannot be talked to either.
  static func failed(_ failure: ChatFailure) -> Failure {
    let code: Failure.Code = failure.kind == .authentication ? .authentication : .connection
    return Failure(code, failure.sentence)
  }
}
