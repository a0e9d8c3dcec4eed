internal import LenientJSON
internal import OpenClawWire

/// What waits at a gateway, by its lists and events: a pure fold.
package struct ControlDesk {
  /// How long an item without an answer stays after its time, in ms: protocol 4 says how it ended.
  static let graceMs: Int64 = 5_000
  static let maximumWaiting = 500
  static let maximumOver = 20

  /// An item that waits no longer.
  struct Over: Equatable {
    var id: String
    var words: String
    var atMs: Int64
  }

  private(set) var waiting: [WaitingItem] = []
  /// Ids of items that an event announced; the others were only listed.
  private(set) var heard: Set<String> = []
  private(set) var over: [Over] = []
  /// Lists that could not be read, by their name: what waits may be more.
  private(set) var unknown: [String: String] = [:]

  package init() {}

  subscript(id: String) -> WaitingItem? { waiting.first { $0.id == id } }

  /// How an item ended, if it is known.
  func end(of id: String) -> String? { over.last { $0.id == id }?.words }

  // MARK: Lists and events

  mutating func take(_ request: GatewayRequest, _ result: Result<JSONValue, RequestFailure>) {
    let name: String
    let isOfList: (WaitingItem) -> Bool
    let read: (JSONValue) -> [WaitingItem]?
    switch request {
    case .listApprovals(let kind):
      name = "\(kind.rawValue) approvals"
      isOfList = { if case .approval(let approval) = $0 { approval.kind == kind } else { false } }
      read = { Self.items($0) { Approval($0, kind: kind).map(WaitingItem.approval) } }
    case .listQuestions:
      name = "questions"
      isOfList = { if case .question = $0 { true } else { false } }
      read = { Self.items($0["questions"]) { GatewayQuestion($0).map(WaitingItem.question) } }
    case .listPairings:
      name = "pairings"
      isOfList = { if case .pairing = $0 { true } else { false } }
      read = { Self.items($0["pending"]) { PairingRequest($0).map(WaitingItem.pairing) } }
    default: return
    }
    switch result {
    case .success(let payload):
      waiting.removeAll(where: isOfList)
      guard let items = read(payload) else {
        unknown[name] = "not all that waits could be read"
        return
      }
      unknown[name] = nil
      for item in items where isPending(item) { add(item) }
      heard.formIntersection(waiting.map(\.id))
    case .failure(let failure): unknown[name] = failure.description
    }
  }

  /// nil if an entry could not be read.
  private static func items(
    _ list: JSONValue?, _ make: (JSONValue) -> WaitingItem?
  ) -> [WaitingItem]? {
    guard let list = list?.array else { return nil }
    let items = list.compactMap(make)
    return items.count == list.count ? items : nil
  }

  private func isPending(_ item: WaitingItem) -> Bool {
    if case .question(let question) = item { question.status == "pending" } else { true }
  }

  /// - Returns: whether anything changed.
  mutating func take(_ event: GatewayEvent, nowMs: Int64) -> Bool {
    let payload = event.payload
    switch event.name {
    case "exec.approval.requested":
      return announce(Approval(payload, kind: .exec).map(WaitingItem.approval))
    case "plugin.approval.requested":
      return announce(Approval(payload, kind: .plugin).map(WaitingItem.approval))
    case "question.requested": return announce(GatewayQuestion(payload).map(WaitingItem.question))
    case "device.pair.requested": return announce(PairingRequest(payload).map(WaitingItem.pairing))
    case "exec.approval.resolved", "plugin.approval.resolved":
      guard let end = ApprovalResolution(payload) else { return false }
      let by = end.resolvedBy.map { " by \($0)" } ?? ""
      return finish(end.id, end.isExpiry ? "expired" : end.decision + by, nowMs)
    case "question.resolved":
      guard let fields = JSONFields(payload), let id = fields.id("id") else { return false }
      return finish(id, fields.string("status") ?? "over", nowMs)
    case "device.pair.resolved":
      guard let fields = JSONFields(payload), let id = fields.id("requestId") else { return false }
      return finish(id, fields.string("decision") ?? "over", nowMs)
    default: return false
    }
  }

  private mutating func announce(_ item: WaitingItem?) -> Bool {
    guard let item, isPending(item) else { return false }
    add(item)
    if self[item.id] != nil { heard.insert(item.id) }
    return true
  }

  private mutating func add(_ item: WaitingItem) {
    if let place = waiting.firstIndex(where: { $0.id == item.id }) {
      waiting[place] = item
    } else if waiting.count < Self.maximumWaiting {
      waiting.append(item)
    } else {
      unknown["more"] = "more than \(Self.maximumWaiting) wait"
    }
  }

  private mutating func finish(_ id: String, _ words: String, _ nowMs: Int64) -> Bool {
    guard waiting.contains(where: { $0.id == id }) else { return false }
    waiting.removeAll { $0.id == id }
    heard.remove(id)
    over.append(Over(id: id, words: words, atMs: nowMs))
    if over.count > Self.maximumOver { over.removeFirst() }
    return true
  }

  /// Ends what is past its time without a word of the gateway, as protocol 3 leaves it.
  ///
  /// - Returns: whether anything changed.
  mutating func expire(nowMs: Int64) -> Bool {
    let late = waiting.filter { item in
      item.expiresAtMs.map { Int64($0) + Self.graceMs < nowMs } ?? false
    }
    for item in late { _ = finish(item.id, "expired", nowMs) }
    return !late.isEmpty
  }
}
