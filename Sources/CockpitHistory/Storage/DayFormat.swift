/// The tables of a day file: docs/history.md describes them for users.
enum DayFormat {
  /// `user_version` of a file. A reader refuses what is newer.
  static let version: Int64 = 1
  /// `application_id`: "clnk".
  static let application: Int64 = 0x636C_6E6B

  static let tables = """
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(version);
    CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE name (id INTEGER PRIMARY KEY, sort TEXT NOT NULL, text TEXT NOT NULL,
      UNIQUE (sort, text));
    CREATE TABLE row (seq INTEGER PRIMARY KEY, at_ms INTEGER, delay_ms INTEGER, action_id INTEGER,
      channels INTEGER, kind INTEGER, event INTEGER, guild INTEGER, channel INTEGER,
      person INTEGER, session INTEGER, cost_nanos INTEGER, duration_ms INTEGER, flags INTEGER,
      length INTEGER, sum INTEGER);
    CREATE INDEX row_at ON row (at_ms);
    CREATE INDEX row_action ON row (action_id) WHERE action_id IS NOT NULL;
    CREATE INDEX row_failed ON row (at_ms) WHERE flags & 1;
    CREATE TABLE tail (seq INTEGER PRIMARY KEY, json BLOB);
    CREATE TABLE longer (seq INTEGER PRIMARY KEY, json BLOB);
    CREATE TABLE block (id INTEGER PRIMARY KEY, first_seq INTEGER, last_seq INTEGER, rows INTEGER,
      from_ms INTEGER, to_ms INTEGER, prefix INTEGER, raw_bytes INTEGER, body BLOB);
    CREATE INDEX block_seq ON block (last_seq);
    CREATE TABLE prefix (id INTEGER, copy INTEGER, body BLOB, PRIMARY KEY (id, copy));
    CREATE TABLE minute (minute INTEGER PRIMARY KEY, rows INTEGER, failures INTEGER,
      voice INTEGER);
    CREATE TABLE later (seq INTEGER PRIMARY KEY, action_id INTEGER, channels INTEGER, json BLOB,
      sum INTEGER);
    CREATE TABLE document (id INTEGER PRIMARY KEY, seq INTEGER, name INTEGER, at_ms INTEGER,
      received_ms INTEGER, base INTEGER, body BLOB, sum INTEGER);
    CREATE INDEX document_name ON document (name, at_ms);
    CREATE TABLE link (id INTEGER PRIMARY KEY, seq INTEGER, at_ms INTEGER, received_ms INTEGER,
      what TEXT, value TEXT, sum INTEGER);
    """

  /// The rows whose id became known after they were written, in the order in which it did. A file of an earlier release has
  /// no such table, and a reader that does not know it needs none.
  static let learned = """
    CREATE TABLE IF NOT EXISTS learned (id INTEGER PRIMARY KEY, seq INTEGER);
    """

  /// The full-text index; it can be rebuilt from the rows.
  static let words = """
    CREATE VIRTUAL TABLE words USING fts5 (text, content='', columnsize=0, detail=none,
      tokenize='ascii');
    """

  /// A block is written once this many bytes of rows wait; larger blocks than the second are not read.
  static let blockBytes = 256 << 10
  static let maxBlockBytes = 80 << 20
  /// The pages of 4 KiB in the write-ahead log at which they are copied into the file. SQLite's own 1,000 make a row that
  /// is committed alone 13 % dearer: the pages that change with each row are copied four times as often.
  static let logPages = 4000
  /// The length of a chain of differences; the next document is stored whole.
  static let keyframeInterval = 200
  static let maxDocumentBytes = 80 << 20

  /// Bits of `row.flags`.
  static let failedFlag: Int64 = 1
  static let voiceFlag: Int64 = 2
}
