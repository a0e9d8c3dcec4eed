import Children
import Foundation
import Networking

/// A tunnel to the address of a profile: OpenSSH as a child, which forwards a Unix-domain socket in a folder that only
/// this user may enter. No port is opened.
///
/// It opens when a connection wants it, and again when the next one does after it was lost: whoever connects has a
/// policy for when to try again. The child ends when its standard input does, and with it ssh: on every way out of
/// this program, `kill -9` included.
@MainActor
package final class SSHTunnel: OriginTunnel {
  typealias Waiter = @MainActor (Result<String, TunnelFailure>) -> Void

  private enum State {
    case closed
    case opening(PipedChild, path: String, sinceNs: UInt64)
    case open(PipedChild, path: String)
  }

  private let host: String
  private let configuration: String?
  private let base: BackendURL
  private let environment: [String: String]
  private let clock: any LinkClock
  private var state = State.closed
  private var waiters: [Waiter] = []
  private var timer: (any LinkTimer)?
  private var isStopped = false
  /// After a failure there is a pause: a server may lock out clients that retry too fast.
  private var lastFailure: (failure: TunnelFailure, untilNs: UInt64)?
  private var errors = SSHErrors()

  /// ssh gives up after 10 s by itself; this is for one that does not.
  private static let patience = Nanoseconds.seconds(20)
  private static let pauseNs = Nanoseconds.milliseconds(2_500)

  /// - Parameters:
  ///   - host: as ssh takes it; `SSHHost.problem` has found nothing wrong with it.
  ///   - configuration: a configuration file for ssh; nil for its default files.
  ///   - base: the address as the host sees it.
  ///   - environment: where ssh is looked for, and what it gets.
  package init(
    host: String, configuration: String?, base: BackendURL, environment: [String: String],
    clock: any LinkClock
  ) {
    self.host = host
    self.configuration = configuration
    self.base = base
    self.environment = environment
    self.clock = clock
  }

  isolated deinit { stop() }

  package func carries(_ base: BackendURL) -> Bool { base.hasSameOrigin(as: self.base) }

  package func open(_ done: @escaping @MainActor (Result<String, TunnelFailure>) -> Void) {
    guard !isStopped else { return done(.failure(TunnelFailure("The ssh tunnel is closed."))) }
    switch state {
    case .open(let child, let path):
      errors.read(child.errors)
      if child.child.end() == nil { return done(.success(path)) }
      close(child)
      state = .closed
      start(done)
    case .opening: waiters.append(done)
    case .closed:
      if let lastFailure, clock.nowNs < lastFailure.untilNs {
        return done(.failure(lastFailure.failure))
      }
      start(done)
    }
  }

  /// Ends ssh. Nothing is called back any more.
  package func stop() {
    isStopped = true
    timer?.cancel()
    (timer, waiters) = (nil, [])
    switch state {
    case .closed: break
    case .opening(let child, let path, _), .open(let child, let path):
      close(child)
      // It ends by itself, and removes the folder; a signal is for one that hangs.
      for _ in 0..<50 {
        guard child.child.end() == nil else { break }
        usleep(10_000)
      }
      child.child.end(with: SIGKILL, patience: 300)
      Self.remove(path)
    }
    state = .closed
  }

  // MARK: Opening

  private func start(_ done: @escaping Waiter) {
    waiters.append(done)
    guard let ssh = Program.find("ssh", environment: environment) else {
      return fail("ssh is not installed. Install it (apt install openssh-client).")
    }
    guard let path = makePath() else {
      return fail("No folder can be made for the ssh tunnel. Check XDG_RUNTIME_DIR and TMPDIR.")
    }
    errors = SSHErrors()
    do throws(ChildFailure) {
      let child = try PipedChild.start(
        Program(
          path: "/bin/sh", arguments: ["-c", Self.keeper, "sh", path, ssh] + arguments(path),
          environment: environment))
      state = .opening(child, path: path, sinceNs: clock.nowNs)
      wait()
    } catch {
      Self.remove(path)
      fail("ssh could not be started: \(error).")
    }
  }

  /// Runs the command behind the path of the socket, and ends it when standard input ends; then the socket and its
  /// folder go.
  private static let keeper = """
    exec 3<&0 </dev/null
    path=$1; shift
    "$@" 3<&- & ssh=$!
    { cat >/dev/null; kill "$ssh"; } <&3 2>/dev/null & watch=$!
    exec 3<&-
    wait "$ssh"; status=$?
    kill "$watch" 2>/dev/null
    rm -f "$path"; rmdir "${path%/*}" 2>/dev/null
    exit $status
    """

  /// Nothing is asked, no connection of the user's own is shared, and nothing of the configuration that has no use for
  /// a tunnel applies.
  private func arguments(_ path: String) -> [String] {
    let options = [
      "BatchMode=yes", "ControlMaster=no", "ControlPath=none", "ConnectTimeout=10",
      "ServerAliveInterval=5", "ServerAliveCountMax=2", "StreamLocalBindMask=0177",
      "PermitLocalCommand=no", "RemoteCommand=none", "RequestTTY=no", "ForwardAgent=no",
      "ForwardX11=no", "LogLevel=ERROR",
    ]
    let target = (base.host.contains(":") ? "[\(base.host)]" : base.host) + ":\(base.port)"
    return (configuration.map { ["-F", $0] } ?? []) + ["-N", "-T"]
      + options.flatMap { ["-o", $0] } + ["-L", "\(path):\(target)", "--", host]
  }

  /// A path in a new folder of mode 0700, short enough for a socket's address.
  private func makePath() -> String? {
    let folders = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"], "/tmp"].compactMap(\.self)
    for folder in folders
    where folder.hasPrefix("/") && !folder.contains(":") && folder.utf8.count < 70 {
      var template = Array("\(folder)/clanky-cockpit-XXXXXX".utf8CString)
      guard mkdtemp(&template) != nil else { continue }
      let made = template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
      return String(decoding: made, as: UTF8.self) + "/bot"
    }
    return nil
  }

  private func wait() {
    timer = clock.schedule(afterNs: Nanoseconds.milliseconds(20)) { [weak self] in self?.look() }
  }

  /// The socket is there as soon as the host has let us in.
  private func look() {
    guard case .opening(let child, let path, let sinceNs) = state else { return }
    errors.read(child.errors)
    var status = stat()
    if child.child.end() != nil {
      errors.read(child.errors)
      close(child)
      state = .closed
      fail(errors.sentence(host))
    } else if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK {
      state = .open(child, path: path)
      lastFailure = nil
      tell(.success(path))
    } else if clock.nowNs.since(sinceNs) > Self.patience {
      close(child)
      child.child.end(with: SIGKILL, patience: 300)
      Self.remove(path)
      state = .closed
      fail("The ssh host \(host) did not let this program in within 20 s. Try 'ssh \(host)'.")
    } else {
      wait()
    }
  }

  private func fail(_ sentence: String) {
    let failure = TunnelFailure(sentence)
    lastFailure = (failure, clock.nowNs + Self.pauseNs)
    tell(.failure(failure))
  }

  private func tell(_ result: Result<String, TunnelFailure>) {
    let told = waiters
    waiters = []
    for waiter in told { waiter(result) }
  }

  /// Our ends of the pipes: without them the child ends.
  private func close(_ child: PipedChild) {
    for descriptor in [child.input, child.output, child.errors] + Array(child.others.values) {
      _ = closeDescriptor(descriptor)
    }
  }

  private static func remove(_ path: String) {
    unlink(path)
    rmdir(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.endIndex)))
  }
}

private func closeDescriptor(_ descriptor: Int32) -> Int32 { close(descriptor) }
