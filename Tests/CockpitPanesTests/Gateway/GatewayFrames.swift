/// Payloads as a gateway of protocol 4 sends them; names and words are invented.
enum GatewayFrames {
  static let main = "agent:wren:main"

  static let greeting: [(name: String, json: String)] = [
    (
      "hello-ok",
      """
      {"type":"hello-ok","protocol":4,"server":{"version":"2026.8.1","connId":"c-1"},"auth":{"role":"operator",\
      "scopes":["operator.read","operator.write","operator.approvals"]},"policy":{"tickIntervalMs":30000},\
      "snapshot":{"presence":[{"host":"desk","mode":"ui","platform":"linux","version":"0.9.0",\
      "ts":1772375400000},{"text":"Node: shed","ts":1772375300000}],"health":{"eventLoop":{"degraded":false},\
      "channels":{"discord":{"configured":true,"linked":true},"signal":{"configured":true,"linked":false,\
      "lastError":"link expired"}}}}}
      """
    ),
    (
      "agents.list",
      """
      {"agents":[{"id":"wren","name":"Wren","model":"birch-1"},{"id":"heron","model":{"primary":"oak-2"}}]}
      """
    ),
    (
      "sessions.list",
      """
      {"sessions":[{"key":"agent:wren:main","agentId":"wren","displayName":"Kiln plans","status":"running",\
      "hasActiveRun":true,"model":"birch-1","channel":"discord","totalTokens":18000,"contextTokens":200000,\
      "estimatedCostUsd":0.42,"updatedAt":1772375500000},{"key":"agent:heron:main","agentId":"heron",\
      "status":"failed","lastRunError":"rate limit","updatedAt":1772375000000}]}
      """
    ),
    (
      "cron.list",
      """
      {"jobs":[{"id":"job-1","name":"weather","enabled":true,"agentId":"heron","state":{"lastStatus":"ok",\
      "lastRunAtMs":1772371800000,"nextRunAtMs":1772379000000}},{"id":"job-2","name":"tidy","enabled":false}]}
      """
    ),
    (
      "device.pair.list",
      """
      {"pending":[{"requestId":"pr-7","deviceId":"0123456789abcdef","displayName":"New phone",\
      "platform":"ios","remoteIp":"198.51.100.7","scopes":["operator.read","operator.write"],\
      "ts":1772375500000}],"paired":[]}
      """
    ),
  ]

  static let events: [(name: String, json: String)] = messages + runs + jobs + waiting + system

  private static let messages: [(name: String, json: String)] = [
    (
      "session.message",
      """
      {"sessionKey":"agent:wren:main","messageId":"m-1","message":{"role":"user","content":"Is the kiln free?",\
      "senderLabel":"Ines","timestamp":1772375420000}}
      """
    )
  ]

  private static func agent(_ rest: String, run: String = "run-1") -> (String, String) {
    ("agent", #"{"runId":"\#(run)","sessionKey":"\#(main)","agentId":"wren",\#(rest)}"#)
  }

  private static let runs: [(name: String, json: String)] = [
    agent(#""stream":"lifecycle","data":{"phase":"start"}"#),
    agent(#""stream":"run_status","data":{"phase":"starting_model"}"#),
    agent(#""stream":"thinking","data":{"text":"Look into the calendar first."}"#),
    agent(
      #""stream":"plan","data":{"phase":"update","explanation":"two steps","steps":[{"step":"read the calendar","status":"in_progress"},{"step":"answer","status":"pending"}]}"#
    ),
    agent(
      #""stream":"tool","data":{"phase":"start","name":"exec","toolCallId":"t-1","args":{"command":"cal kiln"}}"#
    ),
    agent(
      #""stream":"command_output","data":{"toolCallId":"t-1","output":"free","exitCode":0,"durationMs":140}"#
    ),
    agent(
      #""stream":"tool","data":{"phase":"result","name":"exec","toolCallId":"t-1","isError":false,"meta":"free on Friday"}"#
    ),
    agent(
      #""stream":"item","data":{"itemId":"tool:t-2","toolCallId":"t-2","phase":"start","kind":"search","title":"find the key","name":"web_search"}"#
    ),
    agent(
      #""stream":"item","data":{"itemId":"tool:t-2","toolCallId":"t-2","phase":"end","status":"failed","name":"web_search","error":"no network"}"#
    ),
    agent(#""stream":"assistant","data":{"text":"It is","delta":"It is"}"#),
    agent(#""stream":"compaction","data":{"note":"shortened"}"#),
    agent(#""stream":"usage","data":{"outputTokens":64}"#),
    agent(#""stream":"lifecycle","data":{"phase":"end"}"#),
    (
      "chat",
      """
      {"runId":"run-1","sessionKey":"agent:wren:main","agentId":"wren","state":"final","stopReason":"stop",\
      "message":{"role":"assistant","content":[{"type":"text","text":"It is free on Friday."}],"model":"birch-1",\
      "provider":"birch"},"usage":{"input":900,"output":64,"cost":{"total":0.012}}}
      """
    ),
    (
      "agent",
      #"{"runId":"run-2","sessionKey":"agent:heron:main","stream":"lifecycle","data":{"phase":"start"}}"#
    ),
    (
      "session.tool",
      #"{"runId":"run-2","sessionKey":"agent:heron:main","stream":"tool","data":{"phase":"start","name":"read","toolCallId":"t-3","args":{"path":"notes.md"}}}"#
    ),
    (
      "chat",
      #"{"runId":"run-2","sessionKey":"agent:heron:main","state":"error","errorMessage":"The provider limits requests.","errorKind":"rate_limit"}"#
    ),
    (
      "agent",
      #"{"runId":"run-3","sessionKey":"agent:wren:main","stream":"lifecycle","data":{"phase":"start"}}"#
    ),
    (
      "chat",
      #"{"runId":"run-3","sessionKey":"agent:wren:main","state":"delta","deltaText":"Glaze needs"}"#
    ),
    (
      "chat",
      #"{"runId":"run-3","sessionKey":"agent:wren:main","state":"aborted","stopReason":"rpc"}"#
    ),
    (
      "agent",
      #"{"runId":"run-4","sessionKey":"agent:wren:main","stream":"lifecycle","data":{"phase":"start"}}"#
    ),
    (
      "agent",
      #"{"runId":"run-4","sessionKey":"agent:wren:main","stream":"tool","data":{"phase":"start","name":"exec","toolCallId":"t-4","args":{"command":"git push vault main"}}}"#
    ),
  ]

  private static let jobs: [(name: String, json: String)] = [
    ("cron", #"{"jobId":"job-1","action":"started","job":{"name":"weather"}}"#),
    (
      "cron",
      #"{"jobId":"job-1","action":"finished","status":"error","error":"The weather service did not answer.","summary":"no answer","sessionKey":"agent:heron:cron:job-1","nextRunAtMs":1772379000000,"model":"oak-2"}"#
    ),
    (
      "task",
      #"{"action":"upserted","task":{"id":"task-1","status":"failed","title":"sort the shelves","agentId":"heron","error":"no hands","terminalSummary":"gave up"}}"#
    ),
  ]

  private static let waiting: [(name: String, json: String)] = [
    (
      "exec.approval.requested",
      """
      {"id":"ap-1","request":{"command":"git push vault main","cwd":"/home/ines/kiln","host":"gateway",\
      "agentId":"wren","sessionKey":"agent:wren:main","allowedDecisions":["allow-once","allow-always","deny"],\
      "warningText":"writes outside"},"createdAtMs":1772375520000,"expiresAtMs":1772377320000}
      """
    ),
    (
      "plugin.approval.requested",
      """
      {"id":"plugin:p-1","request":{"title":"Open the door","description":"The shed's door","severity":"critical",\
      "toolName":"door","agentId":"heron","allowedDecisions":["allow-once","deny"]},\
      "createdAtMs":1772375521000,"expiresAtMs":1772375641000}
      """
    ),
    (
      "question.requested",
      """
      {"id":"q-1","questions":[{"questionId":"shelf","header":"Shelf","question":"Which shelf?",\
      "options":[{"label":"Upper","description":"dry"},{"label":"Lower"}],"isOther":true}],"agentId":"wren",\
      "sessionKey":"agent:wren:main","createdAtMs":1772375522000,"expiresAtMs":1772376422000,"status":"pending"}
      """
    ),
    (
      "exec.approval.requested",
      #"{"id":"ap-0","request":{"command":"make old","agentId":"heron"},"createdAtMs":1772375400000,"expiresAtMs":1772377200000}"#
    ),
    (
      "exec.approval.resolved",
      #"{"id":"ap-0","decision":"deny","resolvedBy":"Ingrid","request":{"command":"make old","agentId":"heron"}}"#
    ),
    ("question.resolved", #"{"id":"q-0","status":"expired"}"#),
    (
      "device.pair.requested",
      #"{"requestId":"pr-8","deviceId":"fedcba9876543210","displayName":"Kitchen","platform":"android","remoteIp":"198.51.100.9","scopes":["operator.read"],"ts":1772375523000}"#
    ),
    ("device.pair.resolved", #"{"requestId":"pr-8","decision":"rejected"}"#),
  ]

  private static let system: [(name: String, json: String)] = [
    ("sessions.changed", #"{"sessionKey":"agent:wren:main","reason":"send","label":"Kiln plans"}"#),
    (
      "presence",
      #"{"presence":[{"host":"desk","mode":"ui","platform":"linux","version":"0.9.0","ts":1772375400000},{"text":"Node: shed","ts":1772375300000}]}"#
    ),
    (
      "health",
      #"{"eventLoop":{"degraded":true,"reasons":["delay"]},"channels":{"signal":{"configured":true,"linked":false,"lastError":"link expired"}}}"#
    ),
    (
      "heartbeat",
      #"{"status":"sent","preview":"All calm.","channel":"discord","indicatorType":"alert","ts":1772375524000}"#
    ),
    (
      "session.approval",
      #"{"sessionKey":"agent:wren:main","phase":"pending","approval":{"id":"ap-1"}}"#
    ),
    ("session.operation", #"{"operationId":"o-1","operation":"compact","phase":"start"}"#),
    ("update.available", #"{"updateAvailable":{"latestVersion":"2026.9.0"}}"#),
    ("config.changed", "{}"), ("talk.mode", #"{"mode":"on"}"#),
    ("shutdown", #"{"reason":"update","restartExpectedMs":4000}"#),
  ]
}
