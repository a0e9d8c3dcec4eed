import TerminalCore

extension VoicePane {
  package var glossary: [GlossaryEntry] {
    [
      GlossaryEntry("ASR", "speech recognition: from sound to words"),
      GlossaryEntry("RT", "the realtime provider that hears or speaks"),
      GlossaryEntry("MCP", "servers that lend tools to the bot"),
      GlossaryEntry("SKIP 70% 30/43", "decided not to answer: share, and turns of all"),
      GlossaryEntry("pend  PENDING", "turns that wait to be heard or decided"),
      GlossaryEntry("defer  DEFER", "turns put off until the bot has spoken"),
      GlossaryEntry("FOCUS", "who speaks, else who addressed the bot last"),
      GlossaryEntry("ADDRESSED", "since somebody addressed it, and how sure it was"),
      GlossaryEntry("WAKE", "how long it still listens unnamed; else asleep"),
      GlossaryEntry("STALE 14s", "so old is the state: nothing brings a new one"),
      GlossaryEntry("STREAMS", "sound streams that come in"),
      GlossaryEntry("superseded", "replies that a newer one replaced"),
      GlossaryEntry("buf 2/4.1k", "sound that waits: chunks and bytes"),
      GlossaryEntry("fin>asr", "from the end of speech to recognition"),
      GlossaryEntry("asr>gen", "from the words to the model"),
      GlossaryEntry("gen>reply", "from the model to the request for speech"),
      GlossaryEntry("reply>audio", "from that request to the first sound"),
      GlossaryEntry("p50  p95  p41", "so many percent of the session are faster"),
      GlossaryEntry("blame", "the stage that is furthest above its usual time"),
      GlossaryEntry("C  W  i", IncidentMark.meaning),
      GlossaryEntry("james~", "not final: what is recognised so far"),
      GlossaryEntry("4p 43 turns 3!", "past sessions: people, turns, anomalies"),
      GlossaryEntry("81+ turns", "only the first 500 events are to be had"),
    ]
  }
}
