import ArgumentParser
import CockpitDemo
import CockpitFiles
import CockpitSession
import LenientJSON

/// A demo server that is no bot's backend, as this verb runs it.
struct ServedDemo {
  var url: String
  /// What opens it; it is written into a file for clients.
  var secret: String
  /// More members of the line that is printed.
  var members: [(name: StaticString, value: String)]
  /// Drawn as a QR code.
  var code: String?
  var truthRevision: @Sendable () async -> Int
  var truth: @Sendable () async -> [UInt8]
  var stop: @Sendable () async -> Void
}

extension DemoCommand {
  /// Prints where a server is, and runs it until a signal ends it.
  ///
  /// - Throws: the exit code of the signal.
  @MainActor func serve(_ server: ServedDemo, in environment: Environment) async throws {
    // The reader may signal us after the first line: handle signals before it, so that the file is removed.
    let end = EndSignal()
    var truthFile: TruthFile?
    let file: String
    do throws(FileError) {
      if let truth {
        truthFile = TruthFile(
          path: truth, revision: server.truthRevision, text: server.truth)
        try await truthFile?.write()
      }
      file = try SafeFile.writeTemporary(Array((server.secret + "\n").utf8), suffix: ".token")
    } catch {
      await server.stop()
      throw Failure(.failed, error.description)
    }
    var line = JSONObjectWriter()
    line.string("url", server.url)
    line.string("token_file", file)
    line.string("kind", kind.rawValue)
    for (name, value) in server.members { line.string(name, value) }
    // If the line cannot be written, the path is lost: remove the file.
    environment.output.write(line.finish() + [0x0A]) { SafeFile.remove(file) }
    if let code = server.code {
      do throws(Failure) {
        try QRScreen(environment: environment, isOnError: true).show(code)
      } catch {
        environment.output.complain(error.sentence)
      }
    }
    let writer = truthFile.map { file in Task { await file.follow() } }
    let code = await end.first()
    writer?.cancel()
    SafeFile.remove(file)
    await server.stop()
    if let problem = await writer?.value { throw Failure(.failed, problem.description) }
    throw ExitCode(128 + code)
  }
}
