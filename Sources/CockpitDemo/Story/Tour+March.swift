extension Tour {
  /// Stops that March wrote differently (contract 4.4): the local code agent reports when it is
  /// done, with usage and cost, and fails with the task as its text.
  static let march: [String: TourStop] = {
    let head: DemoJSON = [
      "provider": "claude-code", "configuredProvider": "claude-code",
      "authProvider": "claude_oauth", "model": "sonnet", "role": "implementation",
      "sessionId": "code:1778349600:1", "turnNumber": 1,
    ]
    let task: DemoJSON = "add a --json flag to the inventory exporter and cover it with a test"
    return [
      "code_agent_call": TourStop(
        kind: "code_agent_call", place: bench, user: Cast.kofi, content: task,
        metadata: head.merging([
          "maxTurns": 30, "cwd": "/srv/clanky/work/inventory", "workspaceMode": "isolated_worktree",
          "workspaceBranch": "clanky/code/json-flag", "workspaceBaseRef": "main",
          "workspaceRepoRoot": "/srv/clanky/work/inventory",
          "workspaceCwd": "/srv/clanky/work/.worktrees/json-flag", "status": "completed",
          "responseId": nil, "isError": false,
          "usage": [
            "inputTokens": 41_900, "outputTokens": 3100, "cacheWriteTokens": 0,
            "cacheReadTokens": 30_000,
          ],
          "source": "reply_session", "durationMs": 182_000,
        ]), cost: 0.31),
      "code_agent_error": TourStop(
        kind: "code_agent_error", place: bench, user: Cast.kofi, content: task,
        metadata: head.merging([
          "source": "reply_session", "errorMessage": "Claude Code exited with code 1",
          "durationMs": 64_000, "isTimeout": false,
        ])),
    ]
  }()
}
