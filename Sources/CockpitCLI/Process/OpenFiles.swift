import CockpitSession

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The process's limit of open files (`ulimit -n`).
enum OpenFiles {
  /// Two streams, parallel requests, the terminal, the log and files opened by libraries. With
  /// fewer a library traps, or a connection that could not be made looks like a refused one.
  static let needed: UInt64 = 48
  /// The requested limit, if the system allows it.
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
