import Networking
import CockpitFiles
import Foundation

extension Settings {
  /// A token and where it was found.
  package struct FoundToken: Sendable {
    package var token: TokenText
    package var place: TokenPlace
  }

  /// The configuration table that says where the token is; nil if none does.
  private var tokenTable: Configuration.Profile? {
    let table = configuration.profiles[profileName].flatMap { $0.tokenKey == nil ? nil : $0 }
    return table ?? (configuration.base.tokenKey == nil ? nil : configuration.base)
  }

  /// The configuration key that provides the token of this address, `token_command` or
  /// `token_file`; nil if there is none or it belongs to another address.
  package func tokenKey(for url: BackendURL) -> String? {
    tokenTable.flatMap { $0.isFor(url) ? $0.tokenKey : nil }
  }

  /// The token from the first source that has one (command-line contract): the named file, the
  /// environment, the profile's file or command, the token that `setup` saved for exactly this
  /// origin. nil for an open backend. Skipping the profile's token is reported on stderr.
  package func foundToken(for url: BackendURL) throws(Failure) -> FoundToken? {
    let text: String
    let place: TokenPlace
    do throws(FileError) {
      if let file = options.tokenFile {
        (text, place) = (try TokenFile.read(file), .file(file))
      } else if let value = environment["CLANKY_TOKEN"], !value.isEmpty {
        (text, place) = (value, TokenPlace(handedOn: process.tokenPlace))
      } else if process.screen != nil {
        // The cockpit has none, and looking for one would start other programs.
        return nil
      } else if let table = tokenTable, table.isFor(url), let file = table.tokenFile {
        let path = Self.path(file, in: configuration, environment)
        (text, place) = (try tokenFile(path), .file(path))
      } else if let table = tokenTable, table.isFor(url), let command = table.tokenCommand {
        text = try TokenCommand.run(command, patience: patience, mayAsk: mayAsk)
        place = .command
      } else if url.via != nil {
        // What setup saved belongs to the address on this machine's network.
        return nil
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

  /// Resolves a path in the configuration: `~/` is the home directory, and relative paths start at
  /// the configuration's directory.
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

  /// The token that `setup` saved for this origin, regardless of flags, environment and profile.
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
  /// Whether this table applies to the address: a table with an address never sends its token to
  /// another origin (promise P6).
  package func isFor(_ url: BackendURL) -> Bool {
    self.url == nil || address?.hasSameOrigin(as: url) == true
  }

  /// The key that says where the token is; nil if none does.
  package var tokenKey: String? {
    tokenFile != nil ? "token_file" : tokenCommand != nil ? "token_command" : nil
  }

  /// The origin of the table's address; nil if that is invalid.
  fileprivate var origin: String? { address?.origin }

  private var address: BackendURL? { url.flatMap { try? BackendURL($0, allowPlainHTTP: true) } }
}

extension BackendURL {
  /// The key under which the token of this address is stored.
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
  /// A keyring, or another source of the surrounding cockpit.
  case other(String)

  package init(_ place: CredentialPlace) {
    if case .file(let path) = place { self = .file(path) } else { self = .other(place.description) }
  }

  private static let filePrefix = "file "

  /// - Parameter text: the `description` that a cockpit passed to its own verb; nil if there is
  ///   none.
  package init(handedOn text: String?) {
    if let text, text.hasPrefix(Self.filePrefix) {
      self = .file(String(text.dropFirst(Self.filePrefix.count)))
    } else {
      self = text.flatMap { $0 == Self.environment.description ? nil : .other($0) } ?? .environment
    }
  }

  /// As text for the user, such as `Secret Service`.
  package var description: String {
    switch self {
    case .file(let path): Self.filePrefix + path
    case .environment: "CLANKY_TOKEN"
    case .command: "token_command"
    case .other(let words): words
    }
  }
}
