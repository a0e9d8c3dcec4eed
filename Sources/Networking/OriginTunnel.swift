/// The way to one origin through another machine, in place of this machine's network.
@MainActor
package protocol OriginTunnel: AnyObject {
  /// Whether connections to this address go through it.
  func carries(_ base: BackendURL) -> Bool
  /// Opens it if it is not open.
  ///
  /// - Parameter done: is called once, at once or later, with the path of a Unix-domain socket that leads to the origin.
  func open(_ done: @escaping @MainActor (Result<String, TunnelFailure>) -> Void)
}

/// Why a tunnel is not open.
package struct TunnelFailure: Error, Sendable, Equatable {
  /// What happened and what to do. It may have remote text in it, bounded.
  package var sentence: String

  package init(_ sentence: String) { self.sentence = sentence }
}
