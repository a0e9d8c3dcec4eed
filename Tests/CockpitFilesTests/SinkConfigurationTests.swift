import CockpitFiles
import Testing

@Suite struct SinkConfigurationTests {
  private static func read(_ text: String) throws -> [String: Configuration.Sink] {
    try Configuration(toml: text, path: "c.toml").sinks
  }

  private static func problem(_ text: String) -> String? {
    do throws(FileError) {
      _ = try Configuration(toml: text, path: "c.toml")
      return nil
    } catch {
      return error.description
    }
  }

  @Test("sinks of all kinds are read, in one line or as tables")
  func kinds() throws {
    let sinks = try Self.read(
      """
      [sinks]
      node = { kind = "prometheus", file = "/var/lib/clanky.prom" }
      grafana = { kind = "loki", url = "http://127.0.0.1:3100", redact = "words", max_lag = "2d" }
      team = { kind = "postgres", dsn = "service=clanky" }
      [sinks.traces]
      kind = "otlp"
      headers_command = "pass show otel"
      sample = "answered, anomaly"
      """)
    #expect(sinks.keys.sorted() == ["grafana", "node", "team", "traces"])
    #expect(sinks["node"]?.file == "/var/lib/clanky.prom")
    #expect(sinks["grafana"]?.redact == "words")
    #expect(sinks["grafana"]?.maxLagMs == 172_800_000)
    #expect(sinks["team"]?.kind.redact == "none")
    #expect(sinks["traces"]?.kind.redact == "people")
    #expect(sinks["traces"]?.sample == ["answered", "anomaly"])
    #expect(sinks["traces"]?.headersCommand == "pass show otel")
  }

  @Test(
    "what is wrong is said with its key",
    arguments: [
      (#"a = { kind = "lokki", url = "x" }"#, "must be one of"),
      (#"a = { url = "http://x" }"#, "is missing"), (#"a = { kind = "loki" }"#, "is missing"),
      (#"a = { kind = "loki", url = "http://x", file = "/x" }"#, "has no meaning"),
      (#"a = { kind = "postgres", dsn = "host=x password=hunter2" }"#, "must not hold a password"),
      (#"a = { kind = "loki", url = "http://me:hunter2@x" }"#, "must not hold a password"),
      (#"a = { kind = "loki", url = "http://x", max_lag = "1m" }"#, "must be an age"),
      (#"a = { kind = "loki", url = "http://x", token = "y" }"#, "is not a known key"),
      (#"a = { kind = "otlp", sample = ["loud"] }"#, "must be some of"),
      (#""a b" = { kind = "loki", url = "http://x" }"#, "is no name of a sink"),
    ])
  func problems(text: String, words: String) {
    let problem = Self.problem("[sinks]\n\(text)\n")
    #expect(problem?.contains(words) == true, "\(problem ?? "nil")")
    // A secret that stands where it must not is not repeated.
    #expect(problem?.contains("hunter2") != true)
  }
}
