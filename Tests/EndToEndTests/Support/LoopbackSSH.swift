import Foundation
import Testing

/// OpenSSH's server on a free port of this machine, with keys made for one test, and a configuration for clients.
final class LoopbackSSH {
  static let server = "/usr/sbin/sshd"
  static let keygen = "/usr/bin/ssh-keygen"
  /// It takes the user of the test only, and as root a folder that the system makes when its own server starts.
  static var isThere: Bool {
    let files = FileManager.default
    guard files.isExecutableFile(atPath: server), files.isExecutableFile(atPath: keygen) else {
      return false
    }
    guard geteuid() == 0 else { return true }
    try? files.createDirectory(atPath: "/run/sshd", withIntermediateDirectories: true)
    return files.fileExists(atPath: "/run/sshd")
  }

  let folder: String
  /// For `ssh -F`: the host `bot` is this server, `stranger` has a key that it does not know, `unknown` a host key that
  /// nobody has compared, `nowhere` does not listen.
  let configuration: String
  private let process: PipedProcess

  /// - Parameter options: stand before the key in `authorized_keys`, such as `restrict,command="…"`.
  init(_ home: TemporaryFolder, options: String = "") throws {
    let folder = home.path + "/ssh"
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for name in ["host", "user", "other"] {
      let tool = try PipedProcess(
        Self.keygen, ["-q", "-t", "ed25519", "-N", "", "-f", "\(folder)/\(name)"],
        environment: ["PATH": "/usr/bin:/bin"])
      try #require(tool.wait() == .exited(0), "\(tool.errorText)")
    }
    func read(_ name: String) throws -> String {
      try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    }
    let probe = try StubServer { _ in StubReply(isClosed: true) }
    let port = probe.port
    probe.stop()
    let key = try read("user.pub")
    _ = try home.file("ssh/authorized_keys", (options.isEmpty ? "" : options + " ") + key)
    let hostKey = try read("host.pub").split(separator: " ").prefix(2).joined(separator: " ")
    _ = try home.file("ssh/known_hosts", "[127.0.0.1]:\(port) \(hostKey)\n")
    _ = try home.file("ssh/nobody", "")
    let file = try home.file(
      "ssh/sshd_config",
      """
      ListenAddress 127.0.0.1
      Port \(port)
      HostKey \(folder)/host
      PidFile none
      AuthorizedKeysFile \(folder)/authorized_keys
      PasswordAuthentication no
      KbdInteractiveAuthentication no
      PermitRootLogin yes
      UsePAM no
      StrictModes no
      MaxStartups 100

      """)
    func host(_ name: String, key: String = "user", known: String = "known_hosts", port: UInt16)
      -> String
    {
      """
      Host \(name)
        HostName 127.0.0.1
        Port \(port)
        User \(NSUserName())
        IdentityFile \(folder)/\(key)
        IdentitiesOnly yes
        UserKnownHostsFile \(folder)/\(known)
        GlobalKnownHostsFile /dev/null
        StrictHostKeyChecking yes

      """
    }
    configuration = try home.file(
      "ssh/config",
      host("bot", port: port) + host("stranger", key: "other", port: port)
        + host("unknown", known: "nobody", port: port) + host("nowhere", port: 1))
    process = try PipedProcess(
      Self.server, ["-D", "-e", "-f", file], environment: ["PATH": "/usr/bin:/bin"])
    let process = self.process
    guard process.pump(until: { process.errorText.contains("Server listening") }) else {
      throw DemoBackend.NoAnswer(description: "sshd said: \(process.errorText)")
    }
  }

  deinit {
    for session in sessions { kill(session, SIGKILL) }
    process.signal(SIGKILL)
    _ = process.wait()
  }

  /// The processes that serve its connections.
  var sessions: [pid_t] { Self.processes.filter { $0.parent == process.processID }.map(\.id) }

  /// The clients that were started with this configuration, and what keeps them.
  var clients: [(id: pid_t, words: String)] {
    Self.processes.filter { $0.words.contains(configuration) }.map { ($0.id, $0.words) }
  }

  private static var processes: [(id: pid_t, parent: pid_t, words: String)] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { name in
      guard let id = pid_t(name), id != getpid(),
        let stat = try? String(contentsOfFile: "/proc/\(name)/stat", encoding: .utf8),
        let rest = stat.split(separator: ")").last?.split(separator: " "), rest.count > 1,
        rest[0] != "Z", let parent = pid_t(rest[1]),
        let line = FileManager.default.contents(atPath: "/proc/\(name)/cmdline")
      else { return nil }
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      return (id, parent, words.joined(separator: " "))
    }
  }
}
