import DeviceKeys
import Foundation
import LenientJSON
import OpenClawWire
import Testing

/// The recordings of the contract, which are not in this repository.
private let recordings = URL(filePath: "/work/shared/wire/openclaw")

@Suite(
  .enabled(
    if: FileManager.default.fileExists(atPath: recordings.path),
    "the contract's recordings are not on this machine"))
struct RecordingTests {
  struct Line {
    var direction: String
    var frame: String
  }

  private static func lines(_ file: URL) throws -> [Line] {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      guard let object, let direction = object["dir"] as? String else { return nil }
      return (object["frame"] as? String).map { Line(direction: direction, frame: $0) }
    }
  }

  private static func files(_ subfolder: String = "") throws -> [URL] {
    try FileManager.default.contentsOfDirectory(
      at: recordings.appending(path: subfolder), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "jsonl" }.sorted { $0.path < $1.path }
  }

  @Test("every frame of a gateway is understood", arguments: ["", "captures"])
  func frames(subfolder: String) throws {
    var kinds: [String: Int] = [:]
    for file in try Self.files(subfolder) {
      for line in try Self.lines(file) where line.direction == "gateway" {
        switch GatewayFrame(Array(line.frame.utf8)) {
        case .event(let event):
          kinds["event", default: 0] += 1
          check(event, in: file)
        case .response(let response):
          kinds["response", default: 0] += 1
          #expect(response.isOK || response.error != nil, "\(file.lastPathComponent)")
          if let error = response.error {
            #expect(!error.sentence.isEmpty && !"\(ConnectRefusal(error))".isEmpty)
          }
          if response.payload?["type"]?.string == "hello-ok", let payload = response.payload {
            kinds["hello", default: 0] += 1
            #expect(GatewayHello(payload, requested: []) != nil)
          }
        case .unknown(let type): Issue.record("\(file.lastPathComponent): \(type)")
        case nil: Issue.record("\(file.lastPathComponent): \(line.frame.prefix(200))")
        }
      }
    }
    #expect(kinds["event", default: 0] > 200 && kinds["response", default: 0] > 50)
    #expect(kinds["hello", default: 0] > 5)
  }

  /// The events that have a type of ours give a value of it.
  private func check(_ event: GatewayEvent, in file: URL) {
    let isRead: Bool? =
      switch event.name {
      case "connect.challenge": ConnectChallenge(event) != nil
      case "exec.approval.requested": Approval(event.payload, kind: .exec) != nil
      case "plugin.approval.requested": Approval(event.payload, kind: .plugin) != nil
      case "exec.approval.resolved", "plugin.approval.resolved":
        ApprovalResolution(event.payload) != nil
      case "question.requested": GatewayQuestion(event.payload)?.items.isEmpty == false
      case "device.pair.requested": PairingRequest(event.payload) != nil
      case "chat": ChatEvent(event.payload) != nil
      case "agent", "session.tool": AgentEvent(event.payload) != nil
      default: nil
      }
    #expect(isRead != false, "\(file.lastPathComponent): \(event.name)")
  }

  @Test("the signatures of recorded connects hold, and the requests fit the closed schemas")
  func connects() throws {
    var verified = 0
    var known = 0
    for file in try Self.files() {
      for line in try Self.lines(file) where line.direction == "client" {
        guard
          let object = try? JSONSerialization.jsonObject(with: Data(line.frame.utf8))
            as? [String: Any], let method = object["method"] as? String,
          let params = object["params"] as? [String: Any]
        else { continue }
        if ["exec.approval.resolve", "exec.approval.list", "sessions.subscribe"].contains(method) {
          known += 1
          #expect(ClosedSchema.fault(Array(line.frame.utf8)) == nil, "\(line.frame)")
        }
        guard method == "connect", let device = params["device"] as? [String: Any],
          let client = params["client"] as? [String: Any],
          let signature = device["signature"] as? String,
          let publicKey = device["publicKey"] as? String, let signedAt = device["signedAt"] as? Int
        else { continue }
        let auth = params["auth"] as? [String: Any] ?? [:]
        func text(_ object: [String: Any], _ name: String) -> String {
          object[name] as? String ?? ""
        }
        let token = ["token", "deviceToken", "bootstrapToken"].lazy.map { text(auth, $0) }
          .first { !$0.isEmpty }
        let parts = [
          "v3", text(device, "id"), text(client, "id"), text(client, "mode"), text(params, "role"),
          (params["scopes"] as? [String] ?? []).joined(separator: ","), "\(signedAt)", token ?? "",
          text(device, "nonce"), text(client, "platform"), text(client, "deviceFamily"),
        ]
        if DeviceKey.verifies(signature, of: parts.joined(separator: "|"), publicKey: publicKey) {
          verified += 1
        } else {
          // Some connects are recorded because they are refused for this.
          #expect(file.lastPathComponent.hasPrefix("08-"), "\(file.lastPathComponent)")
        }
      }
    }
    #expect(verified >= 5 && known >= 10, "\(verified) verified, \(known) known")
  }
}
