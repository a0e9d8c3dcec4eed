/// `agents.workspace.list` and `agents.workspace.get`: reading an agent's workspace, protocol 4 only.
extension GatewayMethod {
  static let workspace: [GatewayMethod] = [
    GatewayMethod(
      "agents.workspace.list", "read", versions: 4...4,
      [
        .need("agentId", .text(min: 1)), .may("path", .text()),
        .may("offset", .whole(0...Int.max)), .may("limit", .whole(1...Int.max)),
      ]
    ) { (world, _, params) throws(GatewayError) in
      let agent = params["agentId"]?.stringValue ?? ""
      let path = params["path"]?.stringValue ?? ""
      let entries = entries(agent, in: path, nowMs: world.now)
      guard path.isEmpty || !entries.isEmpty else { throw GatewayError("workspace path not found") }
      world.note("folder read", ["agent": .string(agent), "path": .string(path)])
      let offset = min(Int(params["offset"]?.doubleValue ?? 0), entries.count)
      let limit = Int(params["limit"]?.doubleValue ?? 200)
      let answer: DemoJSON = [
        "agentId": .string(agent), "path": .string(path),
        "entries": .array(Array(entries.dropFirst(offset).prefix(limit))),
        "totalEntries": .int(entries.count), "offset": .int(offset),
      ]
      guard !path.isEmpty else { return answer }
      let parent = path.split(separator: "/").dropLast().joined(separator: "/")
      return answer.setting("parentPath", .string(parent))
    },
    GatewayMethod(
      "agents.workspace.get", "read", versions: 4...4,
      [.need("agentId", .text(min: 1)), .need("path", .text(min: 1))]
    ) { (world, _, params) throws(GatewayError) in
      let agent = params["agentId"]?.stringValue ?? ""
      let path = params["path"]?.stringValue ?? ""
      guard let file = GatewayFiles.workspace(agent).first(where: { $0.name == path }),
        let text = file.text
      else { throw GatewayError("workspace file not found") }
      world.note("workspace file read", ["agent": .string(agent), "path": .string(path)])
      let isPicture = path.hasSuffix(GatewayFiles.Picture.suffix)
      return [
        "agentId": .string(agent),
        "file": [
          "path": .string(path), "name": .string(path.lastPart), "size": .int(text.utf8.count),
          "updatedAtMs": .int(Int(world.now - file.ageMs)),
          "mimeType": isPicture ? "image/png" : "text/markdown",
          "encoding": isPicture ? "base64" : "utf8", "content": .string(text),
        ],
      ]
    },
  ]

  /// What stands directly in a folder; folders first.
  private static func entries(_ agent: String, in path: String, nowMs: Int64) -> [DemoJSON] {
    let prefix = path.isEmpty ? "" : path + "/"
    let inside = GatewayFiles.workspace(agent).filter { $0.name.hasPrefix(prefix) }
    let folders = Set(
      inside.compactMap { file -> String? in
        let parts = file.name.dropFirst(prefix.count).split(separator: "/")
        return parts.count > 1 ? String(parts[0]) : nil
      })
    return folders.sorted().map {
      ["path": .string(prefix + $0), "name": .string($0), "kind": "directory"]
    }
      + inside.filter { !$0.name.dropFirst(prefix.count).contains("/") }.map { file in
        [
          "path": .string(file.name), "name": .string(file.name.lastPart), "kind": "file",
          "size": .int(file.text?.utf8.count ?? 0), "updatedAtMs": .int(Int(nowMs - file.ageMs)),
        ]
      }
  }
}

extension String {
  fileprivate var lastPart: String { split(separator: "/").last.map(String.init) ?? self }
}
