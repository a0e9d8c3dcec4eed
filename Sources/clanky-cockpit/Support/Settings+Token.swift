import ClankyLink
import CockpitFiles
import Foundation

extension Settings {
  /// A token and where it was found.
  struct FoundToken: Sendable {
    var token: TokenText
    /// In words for the user, such as `Secret Service`.
    var place: String
  }

  /// Where the cockpit has the token from that it hands on to a verb of its own.
  static let tokenPlaceVariable = "CLANKY_COCKPIT_TOKEN_PLACE"

  /// The token, from the first place that has one (command-line contract): the file that was named,
  /// the environment, the profile's command, what `setup` saved for exactly this origin. Nil for an
  /// open backend.
  func foundToken(for url: BackendURL) throws(Failure) -> FoundToken? {
    let text: String
    let place: String
    do throws(FileError) {
      if let file = options.tokenFile {
        (text, place) = (try TokenFile.read(file), "file \(file)")
      } else if let value = environment["CLANKY_TOKEN"], !value.isEmpty {
        (text, place) = (value, environment[Self.tokenPlaceVariable] ?? "CLANKY_TOKEN")
      } else if let command = profile.tokenCommand {
        text = try TokenCommand.run(command, patience: patience, mayAsk: mayAsk)
        place = "token_command"
      } else if let saved = try credentials.load(url.credentialKey, patience: patience) {
        (text, place) = (saved.token, saved.place.description)
      } else {
        return nil
      }
    } catch {
      throw Failure(.usage, error.description)
    }
    do throws(FileError) {
      return FoundToken(token: try Self.checked(text, from: place), place: place)
    } catch {
      throw Failure(.usage, error.description)
    }
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
  func savedToken(for url: BackendURL) throws(Failure) -> TokenText? {
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
  var credentials: Credentials { Credentials(state: paths.state, environment: environment) }
}

extension BackendURL {
  /// Whose token it is that goes there.
  var credentialKey: CredentialKey {
    CredentialKey(scheme: scheme.rawValue, host: host, port: port)
  }
}
