import TerminalCore

extension CommandPane {
  package var glossary: [GlossaryEntry] {
    [
      GlossaryEntry("SSE", "the streams on which the backend tells what happens"),
      GlossaryEntry("ev/min", "events of the stream in the last minute"),
      GlossaryEntry("REST", "single requests; p50 and p95 are of the last ones"),
      GlossaryEntry("GAPS", "rows fetched after a hole, rows lost for good"),
      GlossaryEntry("CLOCK SKEW", "the backend's clock minus the one here"),
      GlossaryEntry("POLLING", "a stream is held back: the same is asked for"),
      GlossaryEntry("GATEWAY", "the bot's own connection to Discord"),
      GlossaryEntry("TUNNEL", "the public address of the backend, if it has one"),
      GlossaryEntry("REPLY 24 H", "how long replies in text took, last 24 h"),
      GlossaryEntry("p95 n", "19 of 20 replies took no longer; n of them"),
      GlossaryEntry("PROCESSING", "a reply without its time in the queue"),
      GlossaryEntry("follow-up", "model calls after the tools of a reply"),
      GlossaryEntry("CALL FAILED", "people whose last model call failed"),
      GlossaryEntry("not served", "this backend has no such thing to ask for"),
      GlossaryEntry("UPTIME", "not served; the last login is the nearest thing"),
      GlossaryEntry("UTC days", "the backend counts cost from midnight UTC"),
      GlossaryEntry("kept rows", "the backend keeps 14 days or 120,000 rows"),
      GlossaryEntry("FORECAST +-", "at midnight UTC if it goes on so; 80% interval"),
      GlossaryEntry("FREE CALLS", "calls without a price: tokens tell more then"),
      GlossaryEntry("cache 71%", "tokens read from the cache, of all that went in"),
      GlossaryEntry("STALE 3m", "fetched so long ago, and nothing is heard now"),
    ]
  }
}
