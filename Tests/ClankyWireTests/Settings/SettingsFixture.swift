import ClankyWire
import LenientJSON

/// Answers of `/api/settings` in both dialects, with members that neither of them has.
enum SettingsFixture {
  static let may = """
    {"intent":{"permissions":{"replies":{"maxMessagesPerHour":9999,"blockedUserIds":["81"]}},
     "future":{"depth":{"kept":1.50,"half":"\\ud83d","order":{"z":1,"a":2}}},
     "interaction":{"replyGeneration":{"temperature":8e-1,
      "pricing":{"openai":{"gpt-5.4":{"inputPer1M":0.10595600000000001}}}}}},
     "effective":{"permissions":{"replies":{"allowReplies":true,"maxMessagesPerHour":500,
       "blockedUserIds":["81"]}},
     "interaction":{"replyGeneration":{"temperature":0.8}},
     "agentStack":{"preset":"claude_oauth","runtimeConfig":{"minecraft":{"enabled":false}}},
     "voice":{"enabled":true}},
     "bindings":{"providerAuth":{"openai":true}},
     "_meta":{"updatedAt":"2026-05-10T08:00:00.000Z"}}
    """

  static let march = """
    {"intent":{},"effective":{"interaction":{"followup":{"enabled":false},
     "replyGeneration":{"reasoningEffort":"minimal"}},"voice":{"enabled":true}},
     "bindings":{},"_meta":{"updatedAt":"2026-03-14T08:00:00.000Z","saveAppliedToRuntime":false,
     "saveApplyError":"no session"}}
    """

  static func read(_ text: String) -> BotSettings? { BotSettings(body: Array(text.utf8)) }
}
