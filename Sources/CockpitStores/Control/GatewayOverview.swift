package import LenientJSON

/// Agents, sessions, jobs and clients of a gateway, as its source states them. Text in it is remote.
package struct GatewayOverview: Hashable, Sendable {
  package struct Agent: Hashable, Sendable {
    package var id: String
    package var name: String?
    package var model: String?
  }

  package struct Session: Hashable, Sendable {
    package var key: String
    package var agent: String?
    package var label: String?
    /// `running done failed killed timeout`, or another as sent.
    package var status: String?
    package var isActive: Bool
    package var model: String?
    package var channel: String?
    package var totalTokens: Int?
    package var contextTokens: Int?
    /// US dollars, the gateway's estimate.
    package var cost: Double?
    package var updatedMs: Int64?
    package var lastError: String?
  }

  package struct Job: Hashable, Sendable {
    package var id: String
    package var name: String?
    package var isEnabled: Bool
    package var agent: String?
    package var lastStatus: String?
    package var lastError: String?
    package var lastRunMs: Int64?
    package var nextRunMs: Int64?
  }

  /// A client or node that the gateway sees.
  package struct Client: Hashable, Sendable {
    package var name: String
    package var mode: String?
    package var version: String?
    package var platform: String?
    package var seenMs: Int64?
  }

  package struct Channel: Hashable, Sendable {
    package var name: String
    package var isConfigured: Bool
    package var isLinked: Bool?
    package var lastError: String?
  }

  /// Whether the gateway may send notifications to this machine, and why not.
  package struct OwnNode: Hashable, Sendable {
    package var isConnected: Bool
    package var words: String
  }

  package var version: String?
  package var protocolVersion: Int?
  package var scopes: [String]
  package var agents: [Agent]
  /// The active ones first, then the newest.
  package var sessions: [Session]
  package var jobs: [Job]
  package var clients: [Client]
  package var channels: [Channel]
  /// What the event loop of the gateway suffers from; nil if it says nothing.
  package var loopProblem: String?
  package var hasHealth: Bool
  package var heartbeat: String?
  package var heartbeatMs: Int64?
  /// This device as a node of the gateway; nil if it is none.
  package var ownNode: OwnNode?
  /// Lists that could not be read, with the reason, by their names.
  package var unknown: [String: String]

  package init?(_ value: JSONValue) {
    guard value.object != nil else { return nil }
    let server = value["server"]
    version = server?["version"]?.string
    protocolVersion = server?["protocol"]?.int
    scopes = (server?["scopes"]?.array ?? []).compactMap(\.string)
    agents = (value["agents"]?.array ?? []).compactMap { row in
      row["id"]?.string.map {
        Agent(
          id: $0, name: row["name"]?.string,
          model: row["model"]?.string ?? row["model"]?["primary"]?.string)
      }
    }
    sessions = (value["sessions"]?.array ?? []).compactMap(Session.init).sorted {
      ($0.isActive ? 0 : 1, -($0.updatedMs ?? 0), $0.key)
        < ($1.isActive ? 0 : 1, -($1.updatedMs ?? 0), $1.key)
    }
    jobs = (value["jobs"]?.array ?? []).compactMap(Job.init)
    clients = (value["presence"]?.array ?? []).map(Client.init)
    let health = value["health"]
    hasHealth = health?.object != nil
    channels = (health?["channels"]?.object?.members ?? []).map { member in
      Channel(
        name: member.key, isConfigured: member.value["configured"]?.bool ?? false,
        isLinked: member.value["linked"]?.bool, lastError: member.value["lastError"]?.string)
    }
    let loop = health?["eventLoop"]
    loopProblem =
      loop?["degraded"]?.bool == true
      ? (loop?["reasons"]?.array ?? []).compactMap(\.string).joined(separator: ", ") : nil
    let beat = value["heartbeat"]
    heartbeat = beat?["status"]?.string.map { status in
      status + (beat?["preview"]?.string.map { ": \($0)" } ?? "")
    }
    heartbeatMs = beat?["ts"]?.int.map(Int64.init)
    ownNode = value["node"]?["words"]?.string.map {
      OwnNode(isConnected: value["node"]?["connected"]?.bool ?? false, words: $0)
    }
    unknown = [:]
    for member in value["unknown"]?.object?.members ?? [] {
      unknown[member.key] = member.value.string
    }
  }
}

extension GatewayOverview.Session {
  init?(_ row: JSONValue) {
    guard let key = row["key"]?.string else { return nil }
    self.key = key
    agent = row["agentId"]?.string
    label =
      row["label"]?.string ?? row["displayName"]?.string ?? row["derivedTitle"]?.string
    status = row["status"]?.string
    isActive = row["hasActiveRun"]?.bool ?? (row["status"]?.string == "running")
    model = row["model"]?.string
    channel = row["channel"]?.string
    totalTokens = row["totalTokens"]?.int
    contextTokens = row["contextTokens"]?.int
    cost = row["estimatedCostUsd"]?.double
    updatedMs = row["updatedAt"]?.int.map(Int64.init)
    lastError = row["lastRunError"]?.string
  }
}

extension GatewayOverview.Job {
  init?(_ row: JSONValue) {
    guard let id = row["id"]?.string else { return nil }
    self.id = id
    name = row["name"]?.string
    isEnabled = row["enabled"]?.bool ?? true
    agent = row["agentId"]?.string
    let state = row["state"]
    lastStatus = state?["lastStatus"]?.string
    lastError = state?["lastError"]?.string
    lastRunMs = state?["lastRunAtMs"]?.int.map(Int64.init)
    nextRunMs = state?["nextRunAtMs"]?.int.map(Int64.init)
  }
}

extension GatewayOverview.Client {
  init(_ row: JSONValue) {
    name = row["host"]?.string ?? row["text"]?.string ?? "a client without a name"
    mode = row["mode"]?.string
    version = row["version"]?.string
    platform = row["platform"]?.string
    seenMs = row["ts"]?.int.map(Int64.init)
  }
}
