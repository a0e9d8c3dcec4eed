import CockpitSession

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// How many files the process may have open (`ulimit -n`).
enum OpenFiles {
  /// Two streams, requests beside them, the terminal, the log and what libraries open for themselves. With
  /// fewer a library traps, or a connection that could not be made looks like one that was refused.
  static let needed: UInt64 = 48
  /// As many as are asked for where the system allows it.
  private static let wanted: UInt64 = 256

  /// - Throws: exit code 1 when there are too few.
  static func permit() throws(Failure) {
    var limit = rlimit()
    #if canImport(Glibc)
      let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
      let resource = RLIMIT_NOFILE
    #endif
    guard getrlimit(resource, &limit) == 0, UInt64(limit.rlim_cur) < wanted else { return }
    var more = limit
    more.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
    if setrlimit(resource, &more) == 0 { limit = more }
    guard UInt64(limit.rlim_cur) < needed else { return }
    throw Failure(
      .failed,
      "only \(limit.rlim_cur) files may be open at once, and \(needed) are needed; raise the limit with 'ulimit -n \(wanted)'"
    )
  }
}
