import CockpitCLI
import CockpitSession

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The one place where the process ends by itself.
@Sendable func end(_ end: ProcessEnd) -> Never {
  switch end {
  case .exit(let code): exit(code)
  case .immediately(let code): _exit(code)
  case .withoutReader:
    signal(SIGPIPE, SIG_DFL)
    raise(SIGPIPE)
    exit(128 + SIGPIPE)
  }
}

CockpitProgram.main(CommandLine.arguments, end: end)
