/// The tables of a shared history in ClickHouse.
package enum ClickHouseSchema {
  /// The statements that create what is missing, also next to a table of an earlier version. `bot`, time and key
  /// identify a row: twins are merged, or left out by `FINAL`.
  package static let statements =
    [
      "CREATE DATABASE IF NOT EXISTS clanky",
      """
      CREATE TABLE IF NOT EXISTS clanky.action (
        bot LowCardinality(String), at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), key UUID,
        received DateTime64(3, 'UTC') DEFAULT now64(3), action_id Nullable(UInt64),
        kind LowCardinality(String), event LowCardinality(String), guild LowCardinality(String),
        channel LowCardinality(String), message String, person LowCardinality(String), session String,
        cost_nanos UInt64, duration_ms Nullable(UInt32), failed UInt8, words String CODEC(ZSTD(3)),
        body String CODEC(ZSTD(3)), version UInt32 DEFAULT 1,
        INDEX w words TYPE tokenbf_v1(8192, 3, 0) GRANULARITY 4)
      ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(at) ORDER BY (bot, at, key)
      TTL toDateTime(at) + INTERVAL 90 DAY DELETE
      SETTINGS non_replicated_deduplication_window = 1000
      """,
    ]
    + [
      "seq Int64", "arrived DateTime64(3, 'UTC') DEFAULT at", "origins UInt8 DEFAULT 1",
      "voice UInt8", "terms String CODEC(ZSTD(3))",
    ].map { "ALTER TABLE clanky.action ADD COLUMN IF NOT EXISTS \($0)" }
    + [
      """
      ALTER TABLE clanky.action
      ADD INDEX IF NOT EXISTS t terms TYPE tokenbf_v1(8192, 3, 0) GRANULARITY 4
      """,
      // Documents of one name stand one after the other, so that what they have in common is stored once.
      """
      CREATE TABLE IF NOT EXISTS clanky.document (
        bot LowCardinality(String), name String, at DateTime64(3, 'UTC'), recorder String, id Int64,
        seq Int64, arrived DateTime64(3, 'UTC'), body String CODEC(ZSTD(3)))
      ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(at) ORDER BY (bot, name, at, recorder)
      TTL toDateTime(at) + INTERVAL 90 DAY DELETE
      """,
      """
      CREATE TABLE IF NOT EXISTS clanky.link (
        bot LowCardinality(String), at DateTime64(3, 'UTC'), recorder String, part String, id Int64,
        seq Int64, arrived DateTime64(3, 'UTC'), what LowCardinality(String), value String)
      ENGINE = ReplacingMergeTree PARTITION BY toYYYYMM(at) ORDER BY (bot, at, recorder, part, id)
      TTL toDateTime(at) + INTERVAL 90 DAY DELETE
      """,
    ]
}
