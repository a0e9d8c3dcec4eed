import LenientJSON

/// Which of the two known backends is answering (contract 9.8).
///
/// There is no version endpoint. The same types read both; the dialect only decides what to expect,
/// such as owner-private facts.
package enum BackendDialect: String, Hashable, Sendable {
  /// The state of March 2026.
  case march
  /// The last state of version 1, May 2026.
  case may
}

extension BackendDialect {
  /// From a `streamWatch` object: May counts notes, March counted brain context.
  package static func ofStreamWatch(_ json: JSONValue) -> BackendDialect? {
    if json["noteCount"] != nil { return .may }
    return json["brainContextCount"] != nil ? .march : nil
  }

  /// From a fact: only May rows have a scope, even if it is null. A row without one proves nothing,
  /// since some May views omit it.
  package static func ofFact(_ json: JSONValue) -> BackendDialect? {
    json["scope"] != nil ? .may : nil
  }

  /// From the status of `/api/oauth/status`, a route that only May has. A failure proves nothing: a
  /// tunnel answers a wrong token like an unknown route.
  package static func ofOAuthStatus(_ status: Int) -> BackendDialect? {
    status == 200 ? .may : nil
  }
}
