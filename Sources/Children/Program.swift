import CSpawn

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A program with its arguments, environment and descriptors. It inherits no other descriptor and no
/// blocked or ignored signal.
package struct Program: Sendable {
  /// The target of a standard stream.
  package enum Stream: Hashable, Sendable {
    /// Empty input, or discarded output.
    case nothing
    /// Ours, under the same number.
    case inherited
    /// A descriptor of ours, which stays open here.
    case descriptor(Int32)
  }

  /// The secrets that no program gets: of the bot, and of a gateway.
  private static let withheld: Set = [
    "CLANKY_TOKEN", "OPENCLAW_GATEWAY_TOKEN", "OPENCLAW_GATEWAY_PASSWORD",
  ]

  package let path: String
  package let arguments: [String]
  package let environment: [String: String]
  package var input = Stream.nothing
  package var output = Stream.nothing
  package var errors = Stream.nothing
  /// Whether it leads a process group, so that it can be killed together with its children. On a
  /// terminal such a group runs in the background and may not read from it.
  package var hasOwnGroup = true

  /// - Parameters:
  ///   - path: absolute.
  ///   - arguments: without the program name.
  ///   - environment: complete; the secrets are removed (promise P6).
  package init(path: String, arguments: [String] = [], environment: [String: String]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment.filter { !Self.withheld.contains($0.key) }
  }

  /// The absolute path of a program, looked up like a shell does; nil if not found.
  package static func find(_ name: String, environment: [String: String]) -> String? {
    for folder in (environment["PATH"] ?? "").split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }
}

/// How a program ended.
package enum ChildEnd: Hashable, Sendable {
  /// With this exit status, 0...255.
  case exited(Int32)
  /// By this signal.
  case signaled(Int32)

  /// 0...255; 128 and more for a signal, as a shell says it.
  package var status: Int32 {
    switch self {
    case .exited(let status): status
    case .signaled(let number): 128 + number
    }
  }
}

/// Why a program could not be started: an `errno`.
package struct ChildFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let code: Int32

  package init(code: Int32) { self.code = code }

  package var description: String { String(cString: strerror(code)) }
}
