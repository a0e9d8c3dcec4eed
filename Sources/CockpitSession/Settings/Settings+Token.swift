import Networking
import CockpitFiles
import Foundation

extension Settings {
  /// A token and where it was found.
  package struct FoundToken: Sendable {
    package var token: TokenText
    package var place: TokenPlace
  }

  /// The table of the configuration that says where the token is; nil when none does.
  private var tokenTable: Configuration.Profile? {
    let table = configuration.profiles[profileName].flatMap { $0.tokenKey == nil ? nil : $0 }
    return table ?? (configuration.base.tokenKey == nil ? nil : configuration.base)
  }

  /// The key of the configuration that gives the token of this address, `token_command` or `token_file`;
  /// nil when there is none, or when it belongs to another address.
  package func tokenKey(for url: BackendURL) -> String? {
    tokenTable.flatMap { $0.isFor(url) ? $0.tokenKey : nil }
  }

  /// The token, from the first place that has one (command-line contract): the file that was named,
  /// the environment, the profile's file or command, what `setup` saved for exactly this origin. Nil for an
  /// open backend. That the profile's was passed by is said on stderr.
  package func foundToken(for url: BackendURL) throws(Failure) -> FoundToken? {
    let text: String
    let place: TokenPlace
    do throws(FileError) {
      if let file = options.tokenFile {
        (text, place) = (try TokenFile.read(file), .file(file))
      } else if let value = environment["CLANKY_TOKEN"], !value.isEmpty {
        (text, place) = (value, TokenPlace(handedOn: process.tokenPlace))
      } else if process.scope != nil {
        // The cockpit has none, and looking for one would start other programs.
        return nil
      } else if let table = tokenTable, table.isFor(url), let file = table.tokenFile {
        let path = Self.path(file, in: configuration, environment)
        (text, place) = (try tokenFile(path), .file(path))
      } else if let table = tokenTable, table.isFor(url), let command = table.tokenCommand {
        text = try TokenCommand.run(command, patience: patience, mayAsk: mayAsk)
        place = .command
      } else {
        let saved = try credentials.load(url.credentialKey, patience: patience)
        if let table = tokenTable { sayPassedBy(table, for: url, isSaved: saved != nil) }
        guard let saved else { return nil }
        (text, place) = (saved.token, TokenPlace(saved.place))
      }
    } catch {
      throw Failure(.usage, error.description)
    }
    do throws(FileError) {
      return FoundToken(token: try Self.checked(text, from: place.description), place: place)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  private func sayPassedBy(
    _ table: Configuration.Profile, for url: BackendURL, isSaved: Bool
  ) {
    let advice =
      isSaved
      ? "the saved token is used"
      : "give another token with --token-file or CLANKY_TOKEN, or run 'clanky-cockpit setup'"
    output.complain(
      "\(table.tokenKey ?? "the token") was not used: it belongs to \(table.origin ?? "another address"), and this is \(url.origin); \(advice)."
    )
  }

  /// The file of a `token_file`, which is held to the same as `--token-file`.
  private func tokenFile(_ path: String) throws(FileError) -> String {
    do throws(FileError) {
      return try TokenFile.read(path)
    } catch {
      throw FileError("token_file in \(configuration.path ?? "the configuration"): \(error)")
    }
  }

  /// Where a file of the configuration is: `~/` is the home folder, and what is not absolute is seen from
  /// the folder of the configuration.
  package static func path(
    _ file: String, in configuration: Configuration, _ environment: [String: String]
  ) -> String {
    if file.hasPrefix("/") { return file }
    if file.hasPrefix("~/"), let home = environment["HOME"], home.hasPrefix("/") {
      return home + file.dropFirst()
    }
    guard let path = configuration.path, let slash = path.lastIndex(of: "/") else { return file }
    return path[...slash] + file
  }

  private static func checked(
    _ text: String, from place: String
  ) throws(FileError) -> TokenText {
    do throws(TokenText.Problem) {
      return try TokenText(text)
    } catch {
      guard error != .notUTF8 else {
        throw FileError("the token from \(place) is no UTF-8 text; write it again as one")
      }
      throw FileError(error.description)
    }
  }

  /// The token that `setup` saved for this origin, whatever flags, environment and profile say.
  package func savedToken(for url: BackendURL) throws(Failure) -> TokenText? {
    do throws(FileError) {
      guard let saved = try credentials.load(url.credentialKey, patience: patience) else {
        return nil
      }
      return try Self.checked(saved.token, from: saved.place.description)
    } catch {
      throw Failure(.usage, error.description)
    }
  }

  /// The tokens that `setup` has saved.
  package var credentials: Credentials {
    Credentials(
      state: paths.state, remedy: paths.remedy("XDG_STATE_HOME"), environment: environment)
  }
}

extension Configuration.Profile {
  /// Whether what stands in this table is meant for this address: one that names an address gives the
  /// token of no other origin away (promise P6).
  package func isFor(_ url: BackendURL) -> Bool {
    self.url == nil || address?.hasSameOrigin(as: url) == true
  }

  /// The key that says where the token is; nil when none does.
  package var tokenKey: String? {
    tokenFile != nil ? "token_file" : tokenCommand != nil ? "token_command" : nil
  }

  /// The origin of the address that it names; nil when it is no address.
  fileprivate var origin: String? { address?.origin }

  private var address: BackendURL? { url.flatMap { try? BackendURL($0, allowPlainHTTP: true) } }
}

extension BackendURL {
  /// Whose token it is that goes there.
  package var credentialKey: CredentialKey {
    CredentialKey(scheme: scheme.rawValue, host: host, port: port)
  }
}

/// Where a token was found.
package enum TokenPlace: Hashable, Sendable, CustomStringConvertible {
  case file(String)
  /// `CLANKY_TOKEN`.
  case environment
  /// The `token_command` of the configuration.
  case command
  /// A keyring, or whatever else a running cockpit has it from.
  case other(String)

  package init(_ place: CredentialPlace) {
    if case .file(let path) = place { self = .file(path) } else { self = .other(place.description) }
  }

  private static let filePrefix = "file "

  /// - Parameter text: the `description` that a cockpit has handed on to a verb of its own; nil if
  ///   there is none.
  package init(handedOn text: String?) {
    if let text, text.hasPrefix(Self.filePrefix) {
      self = .file(String(text.dropFirst(Self.filePrefix.count)))
    } else {
      self = text.flatMap { $0 == Self.environment.description ? nil : .other($0) } ?? .environment
    }
  }

  /// In words for the user, such as `Secret Service`.
  package var description: String {
    switch self {
    case .file(let path): Self.filePrefix + path
    case .environment: "CLANKY_TOKEN"
    case .command: "token_command"
    case .other(let words): words
    }
  }
}
