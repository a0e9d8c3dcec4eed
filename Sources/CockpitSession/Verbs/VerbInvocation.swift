import CockpitDomain
import Networking
import CockpitFiles
import CockpitPanes
import CockpitStores
import Foundation

/// How to run a verb of this program against the backend on screen, if it shows one: with the same address,
/// configuration and token. The token is passed in the environment of that run, never in its
/// arguments.
package struct VerbInvocation {
  /// Options that say which backend is meant, with their values.
  private var options: [(name: String, value: String?)] = []
  private let variables: [String: String]
  private let tokenPlace: String?
  /// The name of the source on screen, if it is no backend.
  private var shownSource: String?
  /// Whether the user disabled colours; every verb is run without them in any case.
  package let prefersNoColor: Bool

  @MainActor package init(_ opened: OpenedSource) {
    let settings = opened.settings
    let backend = opened.backend
    var options: [(name: String, value: String?)] = []
    if let backend { options.append(("--url", backend.url.address)) }
    if settings.options.allowPlainHttp || settings.profile.allowPlainHTTP ?? false {
      options.append(("--allow-plain-http", nil))
    }
    if let file = settings.caFile { options.append(("--ca-file", file)) }
    if let file = settings.options.config { options.append(("--config", file)) }
    if settings.options.source == nil, let name = settings.options.profile {
      options.append(("--profile", name))
    }
    if settings.isReadOnly { options.append(("--read-only", nil)) }
    if settings.options.utc { options.append(("--utc", nil)) }
    var variables = settings.environment
    variables["CLANKY_URL"] = nil
    variables["CLANKY_TOKEN"] = backend?.token?.withBytes { String(decoding: $0, as: UTF8.self) }
    self.init(variables: variables, tokenPlace: backend?.tokenPlace)
    self.options = options
    shownSource = backend == nil ? opened.name : nil
  }

  /// - Parameters:
  ///   - variables: those of the run; `NO_COLOR` is added.
  ///   - tokenPlace: where the token among them is from.
  package init(variables: [String: String], tokenPlace: String?) {
    prefersNoColor = !(variables["NO_COLOR"] ?? "").isEmpty
    self.variables = variables.merging(["NO_COLOR": "1"]) { $1 }
    self.tokenPlace = tokenPlace
  }

  /// The environment of a run: no prompts, captured output.
  ///
  /// - Parameters:
  ///   - arguments: from `arguments`.
  ///   - screen: where the output is shown.
  ///   - take: receives both output streams, on any thread.
  ///   - end: called with the exit code if the run ends before its verb has returned, on any
  ///     thread.
  package func environment(
    _ arguments: [String], on screen: RunningScreen, in scope: RunScope,
    output take: @escaping @Sendable ([UInt8]) -> Void,
    end: @escaping @Sendable (Int32) -> Void
  ) -> Environment {
    var environment = Environment(
      arguments: arguments, variables: variables,
      output: Output(.function(take), variables: variables, areTerminals: (false, false)),
      terminals: .init(input: false, output: false, error: false), readLine: { nil }
    ) {
      switch $0 {
      case .exit(let code), .immediately(let code): end(code)
      case .withoutReader: end(0)
      }
    }
    environment.screen = screen
    environment.tokenPlace = tokenPlace
    environment.shownSource = shownSource
    environment.scope = scope
    return environment
  }

  /// The arguments of the run: the verb, the options that it knows and the line does not set
  /// itself, and the rest of the line.
  ///
  /// - Parameter scope: what the screen is about: so is the verb.
  package func arguments(
    _ words: [String], _ table: VerbTable, scope: GuildScope = .all
  ) -> [String] {
    let options = options + [("--guild", scope.guild ?? Settings.allGuilds)]
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
