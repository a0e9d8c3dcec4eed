internal import LenientJSON
internal import Networking

extension RestRequest {
  static func saveSettings(_ body: [UInt8]) -> RestRequest {
    // It waits for live sessions to be told, or ended.
    RestRequest(.put, RequestTarget(["api", "settings"]), body: body, totalMs: patientMs)
  }

  static func settingsPreview(preset: String?) -> RestRequest {
    guard let preset else { return settingsPost("reset", .body([])) }
    return settingsPost("preset-defaults", .body([("preset", .string(preset))]))
  }

  static let refreshSettings = settingsPost("refresh", .body([]))

  private static func settingsPost(_ name: String, _ body: JSONValue) -> RestRequest {
    RestRequest(
      .post, RequestTarget(["api", "settings", name]), body: Array(body.serialized().utf8),
      totalMs: patientMs)
  }
}
