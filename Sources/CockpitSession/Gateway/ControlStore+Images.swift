import CockpitDomain
import CockpitFiles
import CockpitStores
import TerminalCore

extension ControlStore {
  /// Writes an image that a tool answered with to a file that is not there yet, and says how it went.
  package func save(_ call: GatewayToolCall, path: String) -> PlainText {
    guard case .result(.picture(let picture))? = findings[.tool(call)]?.finding else {
      return "the image is not here any more; take it again"
    }
    guard !SafeFile.exists(path) else {
      return PlainText("'\(path)' exists already", limit: 300)
    }
    do throws(FileError) {
      try OutputFile.replace(path, with: picture.bytes, instead: "name a file")
      return PlainText("the image is in '\(path)'", limit: 300)
    } catch {
      return PlainText(error.description, limit: 400)
    }
  }
}
