import CockpitFiles
import Foundation
import Networking

extension Settings {
  /// The headers of a profile with their values. Looking for them may take a command: call it beside the main thread.
  ///
  /// - Throws: a sentence that names the header and where its value should have come from, never the value.
  func headers(
    of profile: Configuration.Profile, named name: String
  ) throws(FileError) -> [HTTPHeader] {
    var headers: [HTTPHeader] = []
    for header in profile.talk.headers {
      do throws(FileError) {
        let value = try value(of: header)
        if let problem = HeaderRule.problem(value: value) {
          throw FileError("its value \(problem)")
        }
        headers.append(HTTPHeader(header.name, value))
      } catch {
        throw FileError("the header \(header.name) in the profile '\(name)': \(error)")
      }
    }
    return headers
  }

  private func value(of header: Configuration.Header) throws(FileError) -> String {
    switch header.value {
    case .literal(let text): return text
    case .variable(let name):
      guard let value = environment[name], !value.isEmpty else {
        throw FileError("the environment variable \(name) is not set; export it, or correct env:")
      }
      return value.trimmingCharacters(in: .whitespacesAndNewlines)
    case .file(let file):
      return try TokenFile.read(Self.path(file, in: configuration, environment))
    case .command(let line):
      return try TokenCommand.run(
        line, named: "its command", patience: patience, mayAsk: mayAsk)
    }
  }
}
