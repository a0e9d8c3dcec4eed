/// Vendor sign-ins and the code worker's skill, both May only (contract 3.5).
extension RESTCall {
  func accounts() -> HTTPReply? {
    switch (method, path.joined(separator: "/")) {
    case ("GET", "oauth/status"):
      return .json([
        "claude_oauth": .bool(world.oauth.claude), "openai_oauth": .bool(world.oauth.openai),
      ])
    case ("POST", "oauth/openai/initiate"):
      let state = startSignIn("openai", extra: ["callbackPort": 1455])
      return .json([
        "url": .string(
          "https://auth.example.invalid/openai/authorize?client_id=demo&state=\(state)"),
        "state": .string(state),
      ])
    case ("POST", "oauth/claude/initiate"):
      let key = startSignIn("claude", extra: [:])
      return .json([
        "url": .string(
          "https://auth.example.invalid/claude/authorize?client_id=demo&state=\(key)"),
        "sessionKey": .string(key),
      ])
    case ("POST", "oauth/claude/complete"): return completeSignIn()
    case ("GET", "swarm-server-status"):
      return .json([
        "available": false, "directSpawnSupported": true,
        "socketPath": "/srv/clanky/run/swarm.sock",
        "hint": "Start the swarm server to spawn workers.",
      ])
    case ("GET", "swarm-mcp-skill-status"): return .json(skillStatus())
    case ("POST", "swarm-mcp-skill-install"): return installSkill()
    default: return nil
    }
  }

  // MARK: Sign-in

  private func startSignIn(_ vendor: String, extra: DemoJSON) -> String {
    let key = world.cookieRandom.token(32)
    world.oauth.pending.append((key, world.now))
    if world.oauth.pending.count > 16 { world.oauth.pending.removeFirst() }
    let metadata: DemoJSON = ["redirectUri": "https://auth.example.invalid/callback"]
    world.log(
      "dashboard", content: .string("oauth_\(vendor)_initiated"), metadata: metadata.merging(extra))
    return key
  }

  private func completeSignIn() -> HTTPReply {
    let code = body.field("code")
    let key = body.field("sessionKey")
    if code.isEmpty || key.isEmpty {
      return .json(["error": "code and sessionKey are required"], status: 400)
    }
    // A sign-in that was started and not used expires after ten minutes.
    guard
      let index = world.oauth.pending.firstIndex(where: {
        $0.key == key && world.now - $0.ms < 600_000
      })
    else { return .json(["error": "unknown or expired sessionKey"], status: 400) }
    // Codes of the vendor end in the state they were made for; anything else is refused there.
    guard code.hasSuffix("#" + key) else {
      world.log(
        "dashboard", content: "oauth_claude_exchange_failed",
        metadata: ["error": "invalid_grant", "errorDescription": "Invalid code"],
        extra: ["level": "error"])
      return .json(["error": "token exchange failed: invalid_grant"], status: 502)
    }
    world.oauth.pending.remove(at: index)
    world.oauth.claude = true
    world.log("dashboard", content: "oauth_claude_completed", metadata: ["source": "dashboard"])
    return .json(["ok": true])
  }

  // MARK: Skill

  private static let skillHome = "/home/clanky/.claude/skills/swarm-mcp"
  private static let workspace = "/srv/clanky/work/inventory"

  private func skillStatus() -> DemoJSON {
    let installed = world.oauth.skillInstalled
    return [
      "available": true, "userInstalled": .bool(installed),
      "checks": [
        [
          "scope": "user", "workspaceRoot": nil,
          "resolvedAt": installed ? .string(Self.skillHome) : nil,
          "searched": [.string(Self.skillHome)], "installed": .bool(installed),
        ],
        [
          "scope": "workspace", "workspaceRoot": .string(Self.workspace), "resolvedAt": nil,
          "searched": [.string(Self.workspace + "/.claude/skills/swarm-mcp")],
          "installed": false,
        ],
      ],
      "missingWorkspaceRoots": installed ? [] : [.string(Self.workspace)],
      "hint": installed ? nil : "Install the swarm-mcp skill so that workers can coordinate.",
    ]
  }

  private func installSkill() -> HTTPReply {
    let scope = body.field("scope")
    guard scope == "user" || scope == "workspace" else {
      return .json(
        ["ok": false, "created": [], "skipped": [], "reason": "scope must be user or workspace"],
        status: 400)
    }
    let root = body.field("workspaceRoot")
    if scope == "workspace", root.isEmpty {
      return .json(
        [
          "ok": false, "created": [], "skipped": [],
          "reason": "workspaceRoot is required for scope workspace",
        ], status: 400)
    }
    guard scope == "user" || root == Self.workspace else {
      let reason: DemoJSON = "workspaceRoot is not one of the configured workspaces"
      world.log(
        "dashboard", content: "swarm_mcp_skill_install_failed",
        metadata: [
          "scope": .string(scope), "workspaceRoot": .string(root), "created": [], "skipped": [],
          "reason": reason,
        ])
      return .json(
        ["ok": false, "created": [], "skipped": [], "reason": reason], status: 500)
    }
    let target = scope == "user" ? Self.skillHome : root + "/.claude/skills/swarm-mcp"
    let again = scope == "user" && world.oauth.skillInstalled
    if scope == "user" { world.oauth.skillInstalled = true }
    let created: DemoJSON = again ? [] : [.string(target + "/SKILL.md")]
    let skipped: DemoJSON = again ? [.string(target + "/SKILL.md")] : []
    world.log(
      "dashboard", content: "swarm_mcp_skill_install_completed",
      metadata: [
        "scope": .string(scope), "workspaceRoot": root.isEmpty ? nil : .string(root),
        "created": created, "skipped": skipped,
      ])
    return .json([
      "ok": true, "source": "/srv/clanky/app/mcp-servers/swarm-mcp/skill", "created": created,
      "skipped": skipped,
    ])
  }
}
