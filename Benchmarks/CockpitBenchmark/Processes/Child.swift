import Foundation

/// A program that ran to its end, with what it cost.
struct Child {
  /// User and system time of the whole process, seconds.
  let cpu: Double
  /// Elapsed seconds.
  let wall: Double
  let exitCode: Int32
  /// Bytes, as large as it ever was.
  let peakResident: Int
  let output: String
  let errors: String

  /// Runs a program and waits for it.
  ///
  /// - Parameter keepsOutput: false sends stdout to /dev/null.
  static func run(
    _ path: String, _ arguments: [String], keepsOutput: Bool = false,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> Child {
    let folder = NSTemporaryDirectory()
    let name = "\(folder)/cockpit-benchmark-\(UUID().uuidString)"
    let outputPath = keepsOutput ? name + ".out" : "/dev/null"
    let errorPath = name + ".err"
    defer { for path in [name + ".out", errorPath] { unlink(path) } }
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let mode = O_WRONLY | O_CREAT | O_TRUNC
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, mode, 0o600)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, mode, 0o600)
    var processID: pid_t = 0
    let start = nowNs()
    guard posix_spawn(&processID, path, &actions, nil, &argv, &envp) == 0 else {
      throw BenchmarkError("cannot start \(path)")
    }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(processID, &status, 0, &usage) < 0, errno == EINTR {}
    let wall = Double(nowNs() - start) / 1e9
    let text = { (path: String) in (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    return Child(
      cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), wall: wall,
      exitCode: status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F,
      // KiB on Linux.
      peakResident: Int(usage.ru_maxrss) << 10,
      output: keepsOutput ? text(outputPath) : "", errors: text(errorPath))
  }

  private static func seconds(_ time: timeval) -> Double {
    Double(time.tv_sec) + Double(time.tv_usec) / 1e6
  }

  /// Makes a copy of a program without its debug information, which valgrind 3.19 cannot read and
  /// does not need.
  static func strip(_ program: String, to copy: String) throws {
    guard let strip = find("strip") else { throw BenchmarkError("strip is not installed") }
    let child = try run(strip, ["-o", copy, program])
    guard child.exitCode == 0 else { throw BenchmarkError("strip failed: \(child.errors)") }
  }

  /// Where a program is, or nil.
  static func find(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(
      separator: ":")
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
