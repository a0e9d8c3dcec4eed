import Foundation

/// `clanky-cockpit demo` as a process of its own.
final class DemoBackend {
  struct NoAnswer: Error, CustomStringConvertible {
    var description: String
  }

  let process: PipedProcess
  let url: String
  let tokenFile: String
  let token: String

  var port: UInt16 { URL(string: url)?.port.flatMap(UInt16.init(exactly:)) ?? 0 }

  init(_ arguments: [String] = [], home: TemporaryFolder) throws {
    process = try PipedProcess(
      Tool.path, ["demo"] + arguments, environment: Tool.environment(home: home))
    let process = self.process
    guard process.pump(until: { !process.lines.isEmpty }),
      let line = try PlainAction.objects(String(process.lines[0])).first,
      let url = line["url"] as? String, let file = line["token_file"] as? String
    else { throw NoAnswer(description: "demo said: \(process.text) \(process.errorText)") }
    self.url = url
    tokenFile = file
    token = try String(contentsOfFile: file, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Waits until the first rows of this backend are on the disk. Before that, `T` says that nothing is recorded yet.
  func awaitRecording(home: TemporaryFolder) throws {
    let end = ContinuousClock.now + Tool.patience
    repeat {
      let recorded = try PipedProcess(
        Tool.path, ["actions", "--from-history", "-n", "1", "--url", url],
        environment: Tool.environment(home: home, token: token))
      recorded.wait()
      if !recorded.lines.isEmpty { return }
    } while ContinuousClock.now < end
    throw NoAnswer(description: "nothing was recorded")
  }

  /// Ends it and waits.
  @discardableResult
  func stop(_ signal: Int32 = SIGTERM) -> PipedProcess.Status? {
    process.signal(signal)
    return process.wait()
  }
}
