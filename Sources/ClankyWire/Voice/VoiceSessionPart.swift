/// The parts of a voice session that hold more than one value, named as on the wire (contract
/// 5.2.1): what a `VoiceStateReader` keeps while its bytes stay the same.
package enum VoiceSessionPart: String, CaseIterable, Hashable, Sendable {
  case activeCaptures, soundboard, assistantOutput, playbackArm, conversation, participants, memory
  case membershipEvents, recentTurns, durableContext, lastGenerationContext, promptState
  case streamWatch, asrSessions, sharedAsrSession, brainTools, toolCalls, mcpStatus, music
  case batchAsr, realtime, latency

  /// Gives a session this part of another one.
  func copy(from other: VoiceSession, to session: inout VoiceSession) {
    switch self {
    case .activeCaptures: session.activeCaptures = other.activeCaptures
    case .soundboard: session.soundboard = other.soundboard
    case .assistantOutput: session.assistantOutput = other.assistantOutput
    case .playbackArm: session.playbackArm = other.playbackArm
    case .conversation: session.conversation = other.conversation
    case .participants: session.participants = other.participants
    case .memory: session.memory = other.memory
    case .membershipEvents: session.membershipEvents = other.membershipEvents
    case .recentTurns: session.recentTurns = other.recentTurns
    case .durableContext: session.durableContext = other.durableContext
    case .lastGenerationContext: session.lastGenerationContext = other.lastGenerationContext
    case .promptState: session.promptState = other.promptState
    case .streamWatch: session.streamWatch = other.streamWatch
    case .asrSessions: session.asrSessions = other.asrSessions
    case .sharedAsrSession: session.sharedAsrSession = other.sharedAsrSession
    case .brainTools: session.brainTools = other.brainTools
    case .toolCalls: session.toolCalls = other.toolCalls
    case .mcpStatus: session.mcpStatus = other.mcpStatus
    case .music: session.music = other.music
    case .batchAsr: session.batchAsr = other.batchAsr
    case .realtime: session.realtime = other.realtime
    case .latency: session.latency = other.latency
    }
  }
}
