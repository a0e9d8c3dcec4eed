import CockpitDomain
import Networking
import CockpitFiles
import CockpitPanes
import Foundation

/// How a verb of this program is run so that it talks to the backend on the screen: with the same
/// address, configuration and token. The token goes through the environment of that one process,
/// never through its arguments.
package struct VerbInvocation {
  /// Options that say which backend is meant, with their values.
  private var options: [(name: String, value: String?)] = []
  private let environment: [String: String]
  /// Whether the user wants no colours, which every verb is told in any case.
  package let hasNoColorWish: Bool

  @MainActor package init(_ backend: Backend) {
    let settings = backend.settings
    options.append(("--url", backend.url.description))
    if settings.options.allowPlainHttp || settings.profile.allowPlainHTTP ?? false {
      options.append(("--allow-plain-http", nil))
    }
    if let file = settings.caFile { options.append(("--ca-file", file)) }
    if let file = settings.options.config { options.append(("--config", file)) }
    if settings.options.demo == nil, let name = settings.options.profile {
      options.append(("--profile", name))
    }
    if settings.isReadOnly { options.append(("--read-only", nil)) }
    if let guild = settings.options.guild { options.append(("--guild", guild)) }
    if settings.options.utc { options.append(("--utc", nil)) }
    var environment = settings.environment
    environment["CLANKY_URL"] = nil
    environment["CLANKY_TOKEN"] = backend.token?.withBytes { String(decoding: $0, as: UTF8.self) }
    environment[Settings.tokenPlaceVariable] = backend.tokenPlace
    hasNoColorWish = !(environment["NO_COLOR"] ?? "").isEmpty
    environment["NO_COLOR"] = "1"
    self.environment = environment
  }

  /// The environment of the process, which learns where what it says is shown.
  package func environment(on screen: RunningScreen) -> [String: String] {
    environment.merging([RunningScreen.variable: screen.text]) { $1 }
  }

  /// The arguments of the process: the verb, the options that it knows and the line does not set
  /// itself, and the rest of the line.
  package func arguments(_ words: [String], _ table: VerbTable) -> [String] {
    var path: [String] = []
    while path.count < words.count, table.verb(path + [words[path.count]]) != nil {
      path.append(words[path.count])
    }
    guard let verb = table.verb(path) else { return words }
    let rest = words[path.count...]
    let added = options.filter { name, _ in verb.option(name) != nil && !rest.contains(name) }
    return path + added.flatMap { name, value in [name] + (value.map { [$0] } ?? []) } + rest
  }
}
