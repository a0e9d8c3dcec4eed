import ArgumentParser
import Foundation

/// A backend for measurements, in a separate process.
///
/// Unlike the demo backend, it sends exactly the requested load and counts it: a number of actions
/// per second, each a separate event, followed by a `stats_update` as from the real one. Its first
/// line on stdout is its address. On stdin it takes one command per line:
///
/// - `rate N`: N actions per second from now on, 0 for none; fractions are fine.
/// - `told`: answers `told <actions> <waiting bytes>`: the actions sent so far, the first snapshot
///   included, and the bytes that the sockets have not accepted yet.
///
/// It ends at end of file on stdin.
struct BackendCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backend", abstract: "Serve a counted stream of actions (a part of the run).")

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    var server = try BackendServer()
    // Through no buffer: the other side waits for each line.
    FileHandle.standardOutput.write(Data("http://127.0.0.1:\(server.port)\n".utf8))
    server.run()
  }
}
