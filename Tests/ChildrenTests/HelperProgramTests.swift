import Foundation
import Testing

@testable import Children

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

@Suite("what a started program gets, and when it is over") struct HelperProgramTests {
  private static let environment = [
    "PATH": "/usr/bin:/bin", "CLANKY_TOKEN": "Sesame-0815-open",
    "OPENCLAW_GATEWAY_TOKEN": "Sesame-0816", "OPENCLAW_GATEWAY_PASSWORD": "Sesame-0817",
  ]

  private func run(
    _ script: String, _ input: HelperProgram.Input = .nothing,
    patience: Duration = .seconds(20)
  ) throws -> HelperProgram.Answer {
    try HelperProgram(
      path: "/bin/sh", arguments: ["-c", script], environment: Self.environment
    ).run(input: input, patience: patience)
  }

  private func text(_ answer: HelperProgram.Answer) -> String {
    String(decoding: answer.output, as: UTF8.self)
  }

  @Test("output, errors, status and input are its own, and the token is in no environment")
  func streams() throws {
    let answer = try run("cat; echo no >&2; env | grep -c Sesame; exit 3", .bytes(Array("in".utf8)))
    #expect(text(answer) == "in0\n")
    #expect(answer.errors == "no\n")
    #expect(answer.status == 3)
    #expect(try run("kill -TERM $$").status == 143)
  }

  @Test("F03: it is over when it ends, and what it leaves behind goes on")
  func daemon() throws {
    let start = ContinuousClock.now
    let answer = try run("sleep 30 & echo $!")
    #expect(ContinuousClock.now - start < .seconds(10))
    let number = try #require(pid_t(text(answer).trimmingCharacters(in: .newlines)))
    #expect(kill(number, 0) == 0, "it lives")
    kill(number, SIGKILL)
  }

  @Test("what it leaves behind may write for ever")
  func chatter() throws {
    let answer = try run("yes & echo $! >&2")
    #expect(answer.status == 0)
    let number = try #require(pid_t(answer.errors.trimmingCharacters(in: .newlines)))
    // It has died of the closed pipe, or does at its next line.
    kill(number, SIGKILL)
  }

  @Test("one that does not end is ended with all that it has started")
  func hanging() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "h-\(UUID().uuidString)")
      .path(percentEncoded: false)
    defer { try? FileManager.default.removeItem(atPath: file) }
    #expect(throws: HelperProgram.Problem.self) {
      try run("sleep 60 & echo $! > '\(file)'; wait", patience: .milliseconds(500))
    }
    let words = try String(contentsOfFile: file, encoding: .utf8)
    let number = try #require(pid_t(words.trimmingCharacters(in: .newlines)))
    let deadline = ContinuousClock.now + .seconds(10)
    // An orphan that has died is there until its new parent has noticed.
    while kill(number, 0) == 0, Self.isAlive(number), ContinuousClock.now < deadline {
      usleep(10_000)
    }
    #expect(kill(number, 0) != 0 || !Self.isAlive(number))
  }

  private static func isAlive(_ number: pid_t) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else {
      return false
    }
    return !text.contains(") Z ")
  }

  #if os(Linux)
    @Test("F03: no descriptor but 0 to 2, no blocked and no ignored signal is inherited")
    func inheritance() throws {
      // A library of ours that forgot to mark one.
      let open = fcntl(STDIN_FILENO, F_DUPFD, 250)
      defer { close(open) }
      var mask = sigset_t()
      sigemptyset(&mask)
      sigaddset(&mask, SIGUSR1)
      pthread_sigmask(SIG_BLOCK, &mask, nil)
      let before = signal(SIGPIPE, SIG_IGN)
      defer {
        pthread_sigmask(SIG_UNBLOCK, &mask, nil)
        signal(SIGPIPE, before)
      }
      let answer = try run("cat /proc/self/status; sleep 30 & echo Left: $!")
      var facts: [Substring: Substring] = [:]
      for line in text(answer).split(separator: "\n") {
        guard let colon = line.firstIndex(of: ":") else { continue }
        facts[line[..<colon]] = line[colon...].dropFirst().drop(while: \.isWhitespace)
      }
      let left = try #require(facts["Left"].flatMap { pid_t($0) })
      defer { kill(left, SIGKILL) }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(left)/fd").sorted()
          == ["0", "1", "2"])
      #expect(facts["SigBlk"] == "0000000000000000")
      // glibc itself has two signals above 31 ignored, which are its own.
      let ignored = try #require(facts["SigIgn"].flatMap { UInt64($0, radix: 16) })
      #expect(ignored & 0x7FFF_FFFF == 0)
    }
  #endif

  @Test("a program that is not there is not started")
  func missing() {
    let helper = HelperProgram(path: "/no/such/tool", arguments: [], environment: [:])
    #expect(throws: HelperProgram.Problem.self) { try helper.run(patience: .seconds(5)) }
  }
}
