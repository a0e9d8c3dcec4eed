package import CockpitDomain
internal import LenientJSON
internal import OpenClawWire

/// What is read because a screen shows it.
extension GatewaySource {
  /// Lines of the log that are asked for at once.
  private static let logLines = 500

  package func look(up lookup: GatewayLookup) {
    switch lookup {
    case .files(let agent): ask(.listFiles(agent: agent), for: lookup, LookupDocument.files)
    case .file(let agent, let name):
      ask(.file(agent: agent, name: name), for: lookup, LookupDocument.file)
    case .folder(let agent, let path):
      ask(
        .listWorkspace(agent: agent, path: path, offset: 0, limit: LookupDocument.maximum),
        for: lookup, LookupDocument.folder)
    case .workspaceFile(let agent, let path):
      ask(.workspaceFile(agent: agent, path: path), for: lookup, LookupDocument.file)
    case .nodes: ask(.listNodes, for: lookup, LookupDocument.nodes)
    case .logs:
      ask(.tailLog(cursor: logPlace?.cursor, limit: Self.logLines), for: lookup) { [weak self] in
        self?.readLog($0)
      }
    case .search(let agent, let words):
      call("memory_search", agent, [("query", .string(words))], lookup, LookupDocument.search)
    case .passage(let agent, let path):
      call("memory_get", agent, [("path", .string(path))], lookup, LookupDocument.passage)
    case .conversation:
      tell(lookup, .failure(LookupFailure("A gateway keeps no list of conversations.")))
    case .tools(let agent): probe(agent, for: lookup)
    case .tool(let one) where one.tool == .browserScreenshot:
      guard let tools else { return tell(lookup, .failure(Self.noTools)) }
      tools.call(one.name, agent: one.agent, one.arguments, isPicture: true) { [weak self] in
        self?.tell(lookup, $0)
      }
    case .tool(let one):
      call(one.name, one.agent, one.arguments, lookup, LookupDocument.result)
    }
  }

  private func probe(_ agent: String, for lookup: GatewayLookup) {
    guard let tools else { return tell(lookup, .failure(Self.noTools)) }
    ToolProbe { [weak self] in self?.tell(lookup, $0) }.start(tools, agent: agent)
  }

  private static let noTools = LookupFailure("This gateway's tools cannot be called here.")

  private func tell(_ lookup: GatewayLookup, _ result: Result<JSONValue, ToolFailure>) {
    switch result {
    case .success(let document): tell(lookup, document)
    case .failure(let failure): tell(lookup, .failure(LookupFailure(failure.description)))
    }
  }

  private func ask(
    _ request: GatewayRequest, for lookup: GatewayLookup,
    _ read: @escaping @MainActor (JSONValue) -> JSONValue?
  ) {
    if let hello = picture.hello, !request.exists(in: hello.protocolVersion) {
      return tell(
        lookup,
        .failure(
          LookupFailure(
            "This gateway speaks protocol \(hello.protocolVersion), which has no \(request.method); a newer gateway has."
          )))
    }
    guard picture.holds(request.scope) else {
      return tell(
        lookup,
        .failure(
          LookupFailure(
            "This needs the scope \(request.scope), which this device does not hold; approve it on the gateway."
          )))
    }
    send(request) { [weak self] result in
      switch result {
      case .success(let payload): self?.tell(lookup, read(payload))
      case .failure(let failure):
        self?.tell(lookup, .failure(LookupFailure(failure.description)))
      }
    }
  }

  private func call(
    _ tool: String, _ agent: String, _ arguments: [(key: String, value: JSONValue?)],
    _ lookup: GatewayLookup, _ read: @escaping @MainActor (JSONValue) -> JSONValue?
  ) {
    guard let tools else { return tell(lookup, .failure(Self.noTools)) }
    tools.call(tool, agent: agent, arguments) { [weak self] result in
      switch result {
      case .success(let details): self?.tell(lookup, read(details))
      case .failure: self?.tell(lookup, result)
      }
    }
  }

  private func tell(_ lookup: GatewayLookup, _ document: JSONValue?) {
    tell(
      lookup,
      document.map { .success(Array($0.serialized().utf8)) }
        ?? .failure(
          LookupFailure("The gateway's answer could not be read; its version may be another one.")))
  }

  /// The place of the next read; a log of another name begins anew.
  private func readLog(_ payload: JSONValue) -> JSONValue? {
    let file = payload["file"]?.string
    let isOther = logPlace.map { $0.file != file } ?? true
    logPlace = payload["cursor"]?.int.map { (file: file, cursor: $0) }
    guard let document = LookupDocument.log(payload) else { return nil }
    guard isOther, let members = document.object?.members else { return document }
    return .object(
      JSONObject(
        members: members.filter { $0.key != "reset" } + [
          .init(key: "reset", value: .bool(true))
        ]))
  }
}
