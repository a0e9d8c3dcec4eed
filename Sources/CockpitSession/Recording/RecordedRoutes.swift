import Networking

/// The allowlist of recorded answers: those that panes show. Settings, credentials and searches of the operator are not
/// on it.
package enum RecordedRoutes {
  /// The document name of an answer to this request; nil if it is not recorded.
  package static func name(of request: RestRequest, recordsOwnerPrivate: Bool) -> String? {
    let target = request.target
    guard request.method == .get, isListed(target.segments, recordsOwnerPrivate),
      !target.query.contains(where: { searches.contains($0.name) && !$0.value.isEmpty })
    else { return nil }
    return "GET " + target.encoded
  }

  private static let searches: Set<String> = ["q", "query", "queryText", "search"]

  private static func isListed(_ segments: [String], _ recordsOwnerPrivate: Bool) -> Bool {
    guard segments.first == "api" else { return false }
    switch segments.dropFirst().first {
    case "guilds", "automations", "health", "stats": return true
    case "agents": return segments.count == 3
    case "voice": return segments.dropFirst(2).first == "history"
    case "memory":
      switch segments.dropFirst(2).first {
      case nil, "facts", "subjects", "reflections", "fact-profile": return true
      case "owner-private": return recordsOwnerPrivate
      default: return false
      }
    default: return false
    }
  }
}
