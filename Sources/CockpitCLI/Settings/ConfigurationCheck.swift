import CockpitSession
import Networking
import CockpitAnswers
import CockpitFiles
import CockpitRules
import CockpitStores
import CockpitText
import TOML

/// All checks of a configuration file that need no backend: those of its parser, and those of the
/// whole program: keys, themes, addresses.
struct ConfigurationCheck {
  let paths: Paths
  private let variables: [String: String]

  init(_ paths: Paths, variables: [String: String]) {
    self.paths = paths
    self.variables = variables
  }

  /// - Throws: `Failure` with exit code 2 when the file cannot be read.
  func problems(path: String, isRequired: Bool) throws(Failure) -> [FileError] {
    let bytes: [UInt8]
    do throws(FileError) {
      guard let found = try SafeFile.read(path) else {
        guard isRequired else { return [] }
        throw FileError("there is no configuration file at '\(path)'")
      }
      bytes = found
    } catch {
      throw Failure(.usage, error.description)
    }
    let text: String
    do throws(FileError) {
      text = try Configuration.text(bytes, path: path)
    } catch {
      return [error]
    }
    let problems = Configuration.problems(toml: text, path: path)
    // Check what could be parsed as well; invalid TOML has nothing more to check.
    guard let configuration = Configuration.readable(toml: text, path: path) else {
      return problems
    }
    return (problems + Keymap(configuration).problems + values(configuration)).enumerated()
      .sorted { (line($0.element, path), $0.offset) < (line($1.element, path), $1.offset) }
      .map(\.element)
  }

  /// The line that a problem begins with; 0 for one of the whole file.
  private func line(_ problem: FileError, _ path: String) -> Int {
    guard problem.description.hasPrefix(path + ":") else { return 0 }
    return Int(problem.description.dropFirst(path.count + 1).prefix { $0.isNumber }) ?? 0
  }

  private func values(_ configuration: Configuration) -> [FileError] {
    var problems: [FileError] = []
    func complain(_ key: String, _ sentence: String) {
      let place = [configuration.path, configuration.lines[key].map { "\($0)" }].compactMap(\.self)
      problems.append(FileError("\(place.joined(separator: ":")): '\(key)': \(sentence)"))
    }
    let shelf = ThemeCatalog(paths)
    var tables = [("", configuration.base)]
    for (name, profile) in configuration.profiles.sorted(by: { $0.key < $1.key }) {
      tables.append(("profiles.\(TOMLEdit.quoted(name)).", profile))
    }
    for (prefix, profile) in tables {
      if let theme = profile.theme, theme != "auto",
        case .failure(let failure) = shelf.entry(theme).theme
      {
        complain(prefix + "theme", failure.description)
      }
      if let gateway = profile.gateway {
        check(gateway, profile, in: configuration) { complain(prefix + $0, $1) }
      } else if let url = profile.url {
        let isPlainAllowed = profile.allowPlainHTTP ?? configuration.base.allowPlainHTTP ?? false
        do throws(BackendURL.Problem) {
          _ = try BackendURL(url, allowPlainHTTP: isPlainAllowed)
        } catch {
          complain(prefix + "url", error.description)
        }
      }
      if let file = profile.tokenFile {
        do throws(FileError) {
          _ = try TokenFile.read(
            Settings.path(file, in: configuration, variables))
        } catch {
          complain(prefix + "token_file", error.description)
        }
      }
      if let file = profile.caFile, (try? SafeFile.read(file)) ?? nil == nil {
        complain(prefix + "ca_file", "there is no file '\(file)'")
      }
      for (key, file) in [
        ("client_certificate", profile.clientCertificate), ("client_key", profile.clientKey),
      ] {
        guard let file else { continue }
        let path = Settings.path(file, in: configuration, variables)
        if (try? SafeFile.read(path)) ?? nil == nil {
          complain(prefix + key, "there is no file '\(path)'")
        }
      }
    }
    for problem in RuleSettings.reading(configuration).problems {
      complain(problem.key, problem.sentence)
    }
    let views = QueryViews(configuration.views)
    for (name, watch) in configuration.watches.sorted(by: { $0.key < $1.key }) {
      do throws(WatchRule.Problem) {
        _ = try WatchRule(name, watch, clock: .local, views: views)
      } catch {
        let key = "watch.\(name).query"
        complain(configuration.lines[key] == nil ? "watch.\(name)" : key, error.description)
      }
    }
    if let name = configuration.profile {
      do throws(FileError) {
        _ = try configuration.resolved(profile: name)
      } catch {
        complain("profile", error.description)
      }
    }
    return problems
  }

  /// What is wrong with the address and the files of an OpenClaw gateway.
  private func check(
    _ gateway: Configuration.Gateway, _ profile: Configuration.Profile,
    in configuration: Configuration, _ complain: (String, String) -> Void
  ) {
    do throws(WebSocketURL.Problem) {
      _ = try WebSocketURL(profile: profile, allowPlain: profile.allowPlainHTTP ?? false)
    } catch {
      if profile.url != nil { complain("url", error.description) }
    }
  }
}
