import ArgumentParser
import CockpitFiles
import CockpitSession
import Foundation
import LenientJSON
import TerminalCore

/// `secrets`: the keys of speech services, by name.
struct SecretsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "secrets", abstract: "Keys of speech services: list, set, clear.",
    usage: "clanky-cockpit secrets <SUBCOMMAND> [OPTIONS]",
    discussion: """
      A key is found, in this order, in the variable of its maker ($OPENAI_API_KEY and $ELEVENLABS_API_KEY, for their \
      own hosts alone), in token_file or token_command of the service, or where 'secrets set' has saved it: in the \
      keyring, or a file that only you can read. No command prints a key. Tokens of bots and gateways are saved by \
      'setup'.
      """,
    subcommands: [SecretsListCommand.self, SecretsSetCommand.self, SecretsClearCommand.self])
}

/// `secrets list`: names and places, never values.
struct SecretsListCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "The names of keys, and where each comes from.",
    usage: "clanky-cockpit secrets list [--json]")

  @OptionGroup var shared: SharedOptions

  @Flag(help: "JSON lines.")
  var json = false

  func run(in environment: Environment) throws {
    let settings = try Settings(shared, in: environment)
    let keys = VoiceKeys(settings)
    let services = settings.configuration.voice?.services ?? [:]
    let names = services.filter { $0.value.command == nil }.keys.sorted()
    if names.isEmpty, !json {
      environment.output.remark("No speech service of the configuration takes a key.")
    }
    for name in names {
      do throws(FileError) {
        let place = try keys.place(of: name)
        guard json else {
          environment.output.line(
            PlainText(name).padded(to: 16) + PlainText(place.words, limit: 4_096))
          continue
        }
        var line = JSONObjectWriter()
        line.string("name", name)
        line.string("from", place == .none ? nil : place.words)
        environment.output.line(line.finish())
      } catch {
        throw Failure(.failed, error.description)
      }
    }
  }
}

/// `secrets set`: a key from a prompt without echo, or from standard input.
struct SecretsSetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Save the key of a speech service.",
    usage: "clanky-cockpit secrets set NAME [--store file|keyring]",
    discussion:
      "The key is asked for without echo; without a terminal it is the first line of standard input."
  )

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("A service of [voice.services].", valueName: "NAME"))
  var name: String

  @Option(
    help: ArgumentHelp(
      "Where to save it; by default the keyring, if one answers.", valueName: "PLACE"))
  var store: SecretStore?

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let name = try SecretName.known(name, settings)
    guard environment.scope == nil else {
      throw Failure(.usage, "a key is entered in a shell, not in the cockpit")
    }
    let text: String
    if environment.terminals.input {
      let questions = TerminalQuestions(in: environment)
      defer { questions.close() }
      text = try await questions.ask("Key of \(name)", isSecret: true)
    } else {
      let read = environment.readLine
      text = await OwnThread.run { read() ?? "" }
    }
    let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !key.isEmpty else { throw Failure(.usage, "the key is empty; nothing was saved") }
    guard key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), key.utf8.count <= 4_096 else {
      throw Failure(.usage, "a key is one word of ASCII; nothing was saved")
    }
    let preference = store?.preference
    let result = await OwnThread.run { () -> Result<Credentials.Saved, FileError> in
      Result { () throws(FileError) in
        try settings.credentials.save(
          key, for: VoiceKeys.credential(name), preference: preference, patience: settings.patience)
      }
    }
    do throws(FileError) {
      let saved = try result.get()
      environment.output.remark(PlainText("Saved: \(saved.place.description).", limit: 4_096))
      if let remark = saved.remark { environment.output.complain(remark) }
    } catch {
      throw Failure(.failed, error.description)
    }
  }
}

/// `secrets clear`: forgets what `secrets set` has saved.
struct SecretsClearCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Forget the saved key of a speech service.",
    usage: "clanky-cockpit secrets clear NAME",
    discussion: "Secrets in variables, in other files and in password managers are not changed.")

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("A service of [voice.services].", valueName: "NAME"))
  var name: String

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let name = name
    let result = await OwnThread.run { () -> Result<Bool, FileError> in
      Result { () throws(FileError) in
        let key = VoiceKeys.credential(name)
        guard try settings.credentials.place(of: key) != nil else { return false }
        try settings.credentials.remove(key, patience: settings.patience)
        return true
      }
    }
    do throws(FileError) {
      let wasThere = try result.get()
      environment.output.remark(
        wasThere ? "The key is forgotten." : "No key of this name was saved.")
    } catch {
      throw Failure(.failed, error.description)
    }
  }
}

enum SecretStore: String, CaseIterable, ExpressibleByArgument {
  case keyring, file

  var preference: Credentials.Preference { self == .keyring ? .keyring : .file }
}

enum SecretName {
  /// A name that a key can have.
  static func known(_ name: String, _ settings: Settings) throws(Failure) -> String {
    let services = settings.configuration.voice?.services ?? [:]
    if let service = services[name], service.command == nil { return name }
    let known = services.filter { $0.value.command == nil }.keys.sorted()
    throw Failure(
      .usage,
      known.isEmpty
        ? "no speech service of the configuration takes a key; add a [voice.services.NAME] table first"
        : "'\(name)' is no speech service that takes a key; there is \(known.joined(separator: ", "))"
    )
  }
}
