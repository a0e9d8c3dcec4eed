import ArgumentParser
import CockpitApp
import CockpitPanes
import CockpitShell
import CockpitSession
import Dispatch
import Foundation
import MainLoop
import Networking
import TerminalCore
import Testing

@testable import CockpitCLI

/// Verbs of the program inside a process that goes on.
@MainActor @Suite struct VerbRunTests {
  private struct Outcome {
    var text: String
    var end: VerbOutput.End
  }

  private func runner(patienceMs: Int = 60_000) -> VerbRunner {
    VerbRunner(loop: DispatchLoop(), patienceMs: patienceMs) { await CockpitProgram.run(in: $0) }
  }

  private func outcome(
    _ line: [String], _ runner: VerbRunner, _ invocation: VerbInvocation,
    on screen: RunningScreen = .linear
  ) async -> Outcome {
    await withCheckedContinuation { continuation in
      let arguments = invocation.arguments(line, ClankyCockpit.verbTable)
      runner.run(arguments, of: invocation, on: screen) { output, end in
        continuation.resume(
          returning: Outcome(text: String(decoding: output, as: UTF8.self), end: end))
      }
    }
  }

  private func outcome(
    _ line: String, _ variables: [String: String] = ["HOME": "/nowhere"]
  ) async -> Outcome {
    await outcome(
      line.split(separator: " ").map(String.init), runner(),
      VerbInvocation(variables: variables, tokenPlace: nil))
  }

  private func backend(
    _ scenario: String, home: String = "/nowhere"
  ) async throws -> Backend {
    let options = try SharedOptions.parse(["--demo", scenario])
    return try await Backend.open(
      try Settings(
        options,
        in: Environment(
          arguments: [], variables: ["HOME": home],
          output: Output(.function { _ in }, variables: [:], areTerminals: (false, false)),
          terminals: .init(input: false, output: false, error: false), readLine: { nil },
          end: { _ in })))
  }

  @Test("mistakes have their sentence and exit code; help is as wide as in a pipe")
  func usage() async {
    let mistake = await outcome("facts lost")
    #expect(mistake.end == .exited(2))
    #expect(mistake.text.contains("did you mean 'facts list'?"))
    let help = await outcome("status --help")
    #expect(help.end == .exited(0))
    #expect(help.text.contains("--timeout"))
    #expect(help.text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    let version = await outcome("--version")
    #expect(version.text == programVersion + "\n")
  }

  @Test(
    "what needs a terminal of its own says so", arguments: ["open", "demo", "reset-terminal"])
  func needsTerminal(verb: String) async {
    let outcome = await outcome(verb)
    #expect(outcome.end == .exited(2))
    #expect(outcome.text.contains("needs a terminal of its own"))
  }

  @Test(
    "what asks does not ask where nobody can answer",
    arguments: [
      ("setup --no-test", "run it in a shell, or without questions: clanky-cockpit setup"),
      ("facts edit 1", "on a terminal"),
    ])
  func unattended(line: String, words: String) async {
    let outcome = await outcome(line)
    #expect(outcome.end == .exited(2))
    #expect(outcome.text.contains(words), "\(outcome.text)")
  }

  @Test("verbs ask the backend on the screen, with its token, one after the other")
  func backend() async throws {
    // doctor fails where nothing can be saved.
    let home = FileManager.default.temporaryDirectory.appending(
      path: "home-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }
    let backend = try await backend("quiet", home: home.path)
    let invocation = VerbInvocation(OpenedSource(backend))
    let runner = runner()
    for _ in 0..<2 {
      let facts = await outcome(["facts", "list", "--json"], runner, invocation)
      #expect(facts.end == .exited(0), "\(facts.text)")
      #expect(facts.text.contains("\"fact\":"))
    }
    let none = await outcome(["facts", "show", "999999", "--json"], runner, invocation)
    #expect(none.end == .exited(1))
    #expect(none.text.contains("clanky-cockpit: "))
    let doctor = await outcome(["doctor"], runner, invocation)
    #expect(doctor.end == .exited(0), "\(doctor.text)")
    #expect(doctor.text.contains("linear mode writes no colours"))
    #expect(doctor.text.contains("of the demo"))
    withExtendedLifetime(backend) {}
  }

  /// The sockets of this process that are connected to a port. /proc/net/tcp would not do: it lists the sockets of
  /// all processes, and one read returns only a part of it.
  private func connections(to port: Int) -> Int {
    (Int32(3)..<1024).count { descriptor in
      var address = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          getpeername(descriptor, $0, &length) == 0
        }
      }
      return isConnected && address.sin_family == sa_family_t(AF_INET)
        && Int(UInt16(bigEndian: address.sin_port)) == port
    }
  }

  #if os(Linux)
    @Test(
      "a verb that is ended leaves no connection and no task, whichever way it ends",
      arguments: [
        ["tail", "--once", "--json"], ["tail", "--once", "--since", "1h"],
        ["snapshot", "--view", "memory", "--json"], ["actions", "--since", "1d", "--json"],
        ["facts", "export"], ["sessions", "--json"],
      ])
    func nothingIsLeft(line: [String]) async throws {
      let backend = try await backend("quiet")
      let invocation = VerbInvocation(OpenedSource(backend))
      let port = backend.url.port
      let runner = runner()
      let (ends, end) = AsyncStream.makeStream(of: VerbOutput.End.self)
      runner.run(
        invocation.arguments(line, ClankyCockpit.verbTable), of: invocation, on: .linear
      ) { end.yield($1) }
      // Until it has connected, or has been quicker than that.
      while runner.isRunning, connections(to: port) == 0 { await Task.yield() }
      runner.cancel()
      var ended: VerbOutput.End?
      for await value in ends {
        ended = value
        break
      }
      #expect(ended == .cancelled || ended == .exited(0) || ended == .exited(1))
      await runner.lastTask?.value
      // The last job that knows the transport may follow the task, and closes its sockets then.
      let deadline = ContinuousClock.now + .seconds(10)
      while connections(to: port) > 0, ContinuousClock.now < deadline { await Task.yield() }
      #expect(connections(to: port) == 0)
      withExtendedLifetime(backend) {}
    }

    /// A `tmux` that gives its number away and hangs.
    private func hangingTmux() throws -> (folder: String, pidFile: String) {
      let folder = FileManager.default.temporaryDirectory.appending(
        path: "tmux-\(UInt64.random(in: 0 ... .max))")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let pidFile = folder.appending(path: "pid").path
      let script = folder.appending(path: "tmux")
      try "#!/bin/sh\necho $$ > \(pidFile)\nexec sleep 60\n".write(
        to: script, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: script.path)
      return (folder.path, pidFile)
    }

    @Test(
      "a program that hangs holds nothing up, and ends with its verb",
      arguments: ["keys lint", "doctor"])
    func child(line: String) async throws {
      let (folder, pidFile) = try hangingTmux()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      let runner = runner()
      let invocation = VerbInvocation(
        variables: [
          "TMUX": "x", "PATH": "\(folder):/usr/bin:/bin", "HOME": folder,
          "TERM": "xterm-256color",
        ], tokenPlace: nil)
      let (ends, end) = AsyncStream.makeStream(of: VerbOutput.End.self)
      runner.run(
        line.split(separator: " ").map(String.init), of: invocation, on: .linear
      ) { end.yield($1) }
      var pid: Int32?
      // The main actor turns while it waits: else this loop would not.
      while pid == nil, runner.isRunning {
        await Task.yield()
        let text = try? String(contentsOfFile: pidFile, encoding: .utf8)
        pid = text.flatMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
      }
      let number = try #require(pid)
      runner.cancel()
      for await value in ends {
        #expect(value == .cancelled)
        break
      }
      await runner.lastTask?.value
      #expect(kill(number, 0) != 0, "it still runs")
    }
  #endif
}
