/// The name of a rule, as in the configuration and in `incidents --rules`.
package enum RuleID: String, CaseIterable, Codable, Sendable {
  // What owners of a bot asked for.
  case emptyASR = "empty_asr_after_promotion"
  case deniedByLock = "direct_address_denied_by_lock"
  case lockStuck = "output_lock_stuck"
  case silenceGateDrops = "repeated_silence_gate_drops"
  case generatedNoOutput = "generated_no_output"
  case toolStalled = "tool_stalled"
  case toolOwnership = "tool_ownership_mismatch"
  case bargeInStorm = "barge_in_storm"
  case staleResponse = "stale_response"
  case reconnects = "repeated_reconnects"
  case commentaryStorm = "screen_commentary_storm"
  case musicMasksSpeech = "music_masks_speech"
  case highLatency = "high_latency_turn"
  case confidenceDegraded = "asr_confidence_degraded"
  case replyMissing = "reply_missing_after_direct_address"
  // What else goes wrong.
  case turnsPilingUp = "turns_piling_up"
  case generationWatchdog = "generation_watchdog"
  case recogniserGone = "recogniser_gone"
  case mcpDown = "mcp_down"
  case gatewayFlapping = "gateway_flapping"
  case tunnelNotReady = "tunnel_not_ready"
  case budget
  case errorBurst = "error_burst"
  case silentBackend = "silent_backend"
  case promptJump = "prompt_jump"
  case notRecorded = "not_recorded"
  // What should have come and did not.
  case ignoredThread = "ignored_in_thread"
  case generatedNotSent = "generated_not_sent"
  case automationMissed = "automation_missed"
  case speechWithoutTurns = "speech_without_turns"
  case unusualSilence = "unusual_silence"
  // What goes wrong behind an OpenClaw gateway.
  case gatewayRunFailed = "gateway_run_failed"
  case gatewayRunStalled = "gateway_run_stalled"
  case gatewayToolFailing = "gateway_tool_failing"
  case gatewayJobFailed = "gateway_job_failed"
  case gatewayJobMissed = "gateway_job_missed"
  case gatewayApprovalExpired = "gateway_approval_expired"
}
