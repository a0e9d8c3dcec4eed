internal import ClankyWire
package import CockpitDomain
internal import LenientJSON
internal import OpenClawWire

/// What happened before the connection and in gaps, from the gateway's list of activity.
extension GatewaySource {
  /// Entries of one answer, and answers of one filling: the newest 2,000 entries.
  private static let pageEntries = 500
  private static let maximumPages = 4

  /// The newest events before a loss may be in the list and not here.
  static let overlapMs: Int64 = 2_000

  /// What has to be filled in.
  struct UnheardTime {
    /// The gateway's clock, ms since 1970.
    var afterMs: Int64
    /// Whether events are missing; else it is the time before the first connection.
    var isGap: Bool
  }

  /// Runs and tools of the time before the connection, as far as the gateway's list of activity has them.
  package func fetchHistory(_ request: HistoryRequest) {
    guard request.kinds == nil, earliestMs == nil else { return }
    earliestMs = request.sinceMs
    if isRecovered { fillNow() }
  }

  func fillNow() {
    guard let earliestMs else { return }
    let isGap = unheard != nil
    if !hasFilledStart {
      hasFilledStart = true
      fill(UnheardTime(afterMs: earliestMs, isGap: isGap))
    } else if let unheard {
      fill(unheard)
    }
    unheard = nil
  }

  /// Rows from before now: none of them is news.
  func give(earlier rows: [LiveRow]) {
    guard !rows.isEmpty else { return }
    var json: [UInt8] = [UInt8(ascii: "[")]
    for row in rows {
      if json.count > 1 { json.append(UInt8(ascii: ",")) }
      json += row.json
    }
    json.append(UInt8(ascii: "]"))
    json.withUnsafeBytes {
      _ = sink?.ingest(RowBatch($0, source: .history), at: ReceiveTime(clock))
    }
  }

  private func fill(_ unheard: UnheardTime) {
    let request = GatewayRequest.listActivity(
      afterMs: unheard.afterMs, cursor: nil, limit: Self.pageEntries)
    guard request.exists(in: picture.hello?.protocolVersion ?? 3) else {
      if unheard.isGap {
        say("the gap cannot be filled: a gateway of protocol 3 keeps no list of its activity")
      }
      return
    }
    guard picture.holds(request.scope) else {
      if unheard.isGap { say("the gap cannot be filled: that needs the scope \(request.scope)") }
      return
    }
    page(request, of: unheard, pages: 1, [], unread: 0)
  }

  private func page(
    _ request: GatewayRequest, of unheard: UnheardTime, pages: Int, _ before: [ActivityEntry],
    unread: Int
  ) {
    send(request) { [weak self] result in
      guard let self else { return }
      let list: [JSONValue]
      let next: String?
      switch result {
      case .failure(let failure):
        say(
          (unheard.isGap ? "the gap cannot be filled: " : "what happened before is not filled in: ")
            + failure.description)
        return
      case .success(let payload):
        guard let events = payload["events"]?.array else {
          return say("the gateway's list of its activity could not be read")
        }
        list = events
        next = payload["nextCursor"]?.string
      }
      let entries = list.compactMap(ActivityEntry.init)
      let all = before + entries
      let unread = unread + list.count - entries.count
      if let next, pages < Self.maximumPages {
        page(
          .listActivity(afterMs: unheard.afterMs, cursor: next, limit: Self.pageEntries),
          of: unheard,
          pages: pages + 1, all, unread: unread)
      } else {
        finish(unheard, all, isCut: next != nil, unread: unread)
      }
    }
  }

  private func finish(_ unheard: UnheardTime, _ entries: [ActivityEntry], isCut: Bool, unread: Int)
  {
    let rows = feed.fill(entries)
    give(earlier: rows)
    if unheard.isGap {
      let count = rows.count == 1 ? "1 row" : "\(rows.count) rows"
      say(
        rows.isEmpty
          ? "the gateway's list has nothing more of that time"
          : "\(count) filled in from the gateway's list, without words",
        kind: "gateway_filled")
    }
    if isCut { say("the gateway's list is longer: older entries are not filled in") }
    if unread > 0 { say("\(unread) entries of the gateway's list could not be read") }
  }

  private func say(_ words: String, kind: String = "gateway_gap_warning") {
    give([LiveRow(kind, words, atMs: nowMs)])
  }
}
