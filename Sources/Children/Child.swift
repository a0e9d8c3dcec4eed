import CSpawn
import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A child process. This is the only place in the program that starts one.
///
/// A child has ended when it exits, even if processes that it started still run: `xclip` exits and
/// leaves one that serves the clipboard. Foundation's `Process` is unsuitable: on Linux it detects the
/// exit through a socket that the remaining processes inherit.
package struct Child: Sendable {
  package let process: Int32
  private let isGroup: Bool

  /// Starts a program.
  package static func start(_ program: Program) throws(ChildFailure) -> Child {
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    guard null >= 0 else { throw ChildFailure(code: errno) }
    defer { close(null) }
    func descriptor(_ stream: Program.Stream, _ own: Int32) -> Int32 {
      switch stream {
      case .nothing: null
      case .inherited: own
      case .descriptor(let number): number
      }
    }
    let words = CStrings([program.path] + program.arguments)
    let variables = CStrings(program.environment.map { "\($0.key)=\($0.value)" })
    let number = program.path.withCString { path in
      words.withPointers { words in
        variables.withPointers { variables in
          var plan = cspawn_plan(
            path: path, arguments: words, environment: variables,
            input: descriptor(program.input, STDIN_FILENO),
            output: descriptor(program.output, STDOUT_FILENO),
            errors: descriptor(program.errors, STDERR_FILENO),
            has_own_group: program.hasOwnGroup)
          return cspawn_start(&plan)
        }
      }
    }
    guard number > 0 else { throw ChildFailure(code: -number) }
    return Child(process: number, isGroup: program.hasOwnGroup)
  }

  /// How it ended; nil while it runs. After a non-nil result the process id may be reused, so make
  /// no further call.
  package func end() -> ChildEnd? {
    let result = cspawn_end(process)
    guard result.is_over else { return nil }
    return result.was_signaled ? .signaled(result.number) : .exited(result.number)
  }

  /// Calls `body` on the main actor once the child has ended. Until then its process id is not
  /// reused.
  package func whenOver(_ body: @escaping @MainActor @Sendable (ChildEnd) -> Void) {
    // Not on a queue: the first use of Dispatch's pool wakes it every second from then on.
    Thread.detachNewThread { [self] in
      cspawn_await(process)
      DispatchQueue.main.async {
        MainActor.assumeIsolated { body(end() ?? .exited(128)) }
      }
    }
  }

  /// Sends a signal to it, and to its group where it leads one.
  package func signal(_ number: Int32) { kill(isGroup ? -process : process, number) }

  /// Sends the signal and waits for the end.
  ///
  /// - Parameter patience: in ms.
  /// - Returns: whether it has ended.
  @discardableResult
  package func end(with number: Int32, patience: Int) -> Bool {
    guard end() == nil else { return true }
    signal(number)
    for _ in 0..<max(1, patience / 10) {
      if end() != nil { return true }
      usleep(10_000)
    }
    return false
  }
}

/// C strings: an array of pointers, terminated by nil.
private final class CStrings {
  private var pointers: [UnsafeMutablePointer<CChar>?]

  init(_ strings: [String]) { pointers = strings.map { strdup($0) } + [nil] }

  deinit { for pointer in pointers { free(pointer) } }

  func withPointers<R>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> R) -> R {
    pointers.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
