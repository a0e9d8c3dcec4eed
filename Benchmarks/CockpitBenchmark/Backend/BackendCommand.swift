import ArgumentParser
import Foundation

/// A backend for measurements, as a process of its own.
///
/// It tells exactly what it is asked to tell and counts it, which the demo backend does not: so many
/// actions a second, each an event of its own, followed by a `stats_update` as the real one does.
/// Its first line on stdout is its address. On stdin it takes one command a line:
///
/// - `rate N`: N actions a second from now on, 0 for none; fractions are fine.
/// - `told`: answers `told <actions> <waiting bytes>`: what was told so far, the first snapshot
///   included, and what the sockets have not taken yet.
///
/// It ends with its input.
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
