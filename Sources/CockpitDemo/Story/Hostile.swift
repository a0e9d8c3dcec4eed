/// Rows with every kind of hostile text (contract 9.5).
enum Hostile {
  static let rows: [TourStop] = {
    let place = Tour.talk
    func text(_ content: DemoJSON, kind: String = "sent_reply") -> TourStop {
      TourStop(
        kind: kind, place: place, user: Cast.bot, hasMessage: true, content: content,
        metadata: ["source": "message_event", "triggerMessageId": content])
    }
    let zalgo = "Z" + (0..<120).map { String(UnicodeScalar(0x300 + $0 % 0x50) ?? "x") }.joined()
    let family = "👩‍❤️‍💋‍👨 👨‍👩‍👧‍👦 🏴‍☠️ 🇺🇳🇪🇺 👍🏽 1️⃣ \u{1F9D1}\u{200D}\u{1F680}"
    let lone: DemoJSON = .units(Array("half a pair: ".utf16) + [0xD83D])
    let reversed: DemoJSON = .units([0xDE00, 0xD83D, 0x41])
    let split: DemoJSON = .string(String(repeating: "x", count: 1999) + "😀 tail that is cut off")
    var deep: DemoJSON = "bottom"
    for _ in 0..<200 { deep = ["d": deep] }
    var many: DemoJSON = [:]
    for index in 0..<300 { many = many.setting("key\(index)", .int(index)) }
    return [
      text("\u{1B}[2J\u{1B}[31mred alert\u{1B}[0m \u{1B}]0;pwned\u{7}"),
      text("\u{1B}]52;c;cm0gLXJmIC8=\u{7}\u{1B}P+q544e\u{1B}\\ \u{9B}31m"),
      text("user\u{202E}txt.exe\u{202C} \u{2066}isolated\u{2069} \u{200F}end"),
      text(.string(family)), text(.string(zalgo)),
      text("全角文字と半角ｶﾅ、한국어, עברית, العربية, ไทย, 𝔘𝔫𝔦𝔠𝔬𝔡𝔢"),
      text(
        "tabs\there\r\ncarriage\rreturn\u{B}vertical\u{C}form\u{85}next\u{2028}line\u{2029}para"),
      text("\u{0}nul \u{7}bell \u{8}\u{8}back \u{7F}del \u{FEFF}bom \u{200B}\u{2060}zero"),
      text(lone), text(reversed), text(split),
      text(.string(String(repeating: "no spaces at all", count: 3000))),
      text(.string(String(repeating: "line\n", count: 4000))), text(""),
      TourStop(kind: "sent_reply", place: place, content: nil, metadata: nil),
      TourStop(kind: "a_kind_from_the_future", place: place, content: "hello from 2031"),
      TourStop(kind: "__proto__", content: "constructor", metadata: ["__proto__": ["x": 1]]),
      TourStop(
        kind: "llm_call", place: place, user: Cast.nadia, content: "x:y",
        metadata: [
          "provider": 7, "usage": "none", "toolNames": ["a", "b"], "toolCallCount": "2",
          "systemPrompt": .string(String(repeating: "A long prompt. \u{1B}[5m", count: 3200)),
          "userPrompt": nil,
        ], cost: 1e-9),
      TourStop(
        kind: "sent_reply", place: place, user: Cast.bot, content: "prompts",
        metadata: [
          "replyPrompts": [
            "hiddenByDefault": true,
            "systemPrompt": .string(String(repeating: "prompt line\n", count: 5200)),
            "initialUserPrompt": lone, "followupUserPrompts": [], "followupSteps": 0,
            "tools": [],
          ], "performance": nil, "llm": nil,
        ]),
      TourStop(kind: "voice_runtime", place: place, content: "no_session_id_here"),
      TourStop(
        kind: "voice_runtime", place: place, user: Cast.nadia,
        content: "openai_realtime_asr_final_segment",
        metadata: [
          "sessionId": "\u{1B}[1mnot-a-uuid", "speakerName": "\u{202E}evil\u{1B}[A",
          "transcript": .string(zalgo), "itemId": 12,
        ]),
      TourStop(kind: "bot_error", content: "deep", metadata: deep),
      TourStop(kind: "bot_error", content: "wide", metadata: many),
      TourStop(
        kind: "bot_error", content: "numbers",
        metadata: [
          "big": 1e308, "small": .double(.leastNonzeroMagnitude), "negative": -0.0,
          "integer": 9_007_199_254_740_993,
          "text": "1e999",
        ], cost: 1e9),
      TourStop(
        kind: "sent_message", place: place, content: "extra keys", metadata: [:],
        extra: ["level": "warn", "source": "mystery", "nested": ["a": [1, 2, [3]]]]),
      TourStop(
        kind: "minecraft_mcp_process_output",
        content: "\u{1B}[?1049h\u{1B}[6n\u{1B}[?1000h\u{1B}c progress 10%\r20%\r30%",
        metadata: ["stream": "stderr"]),
    ]
  }()
}
