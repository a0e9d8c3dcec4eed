import LenientJSON

/// The queue of the music player (contract 5.2.12).
package struct MusicQueue: WireReadable {
  /// The tracks in order.
  package var tracks: [MusicTrack]
  /// Index of the playing track, from 0; may lie outside the list.
  package var nowPlayingIndex: Int?
  /// Whether it pauses.
  package var isPaused: Bool?
  /// 0 to 1.
  package var volume: Double?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    tracks: [MusicTrack] = [], nowPlayingIndex: Int? = nil, isPaused: Bool? = nil,
    volume: Double? = nil
  ) {
    self.tracks = tracks
    self.nowPlayingIndex = nowPlayingIndex
    self.isPaused = isPaused
    self.volume = volume
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    tracks = fields.list("tracks", of: MusicTrack.init) ?? []
    nowPlayingIndex = fields.int("nowPlayingIndex")
    isPaused = fields.bool("isPaused")
    volume = fields.double("volume")
  }
}

/// A track of the queue (contract 5.2.12).
package struct MusicTrack: WireReadable {
  /// Identity at the source.
  package var id: String?
  /// Its title.
  package var title: String?
  /// Its artist.
  package var artist: String?
  /// Where it comes from.
  package var source: MusicSource?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: String? = nil, title: String? = nil, artist: String? = nil, source: MusicSource? = nil
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.source = source
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    id = fields.id("id")
    title = fields.string("title")
    artist = fields.string("artist")
    source = fields.word("source")
  }
}

/// A search result to choose from (contract 5.2.12).
package struct MusicResult: WireReadable {
  /// Identity at the platform.
  package var id: String?
  /// Its title.
  package var title: String?
  /// Its artist.
  package var artist: String?
  /// Where it was found.
  package var platform: MusicPlatform?
  /// Its page.
  package var externalURL: String?
  /// Its length, in seconds.
  package var durationSeconds: Double?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: String? = nil, title: String? = nil, artist: String? = nil,
    platform: MusicPlatform? = nil, externalURL: String? = nil, durationSeconds: Double? = nil
  ) {
    self.id = id
    self.title = title
    self.artist = artist
    self.platform = platform
    self.externalURL = externalURL
    self.durationSeconds = durationSeconds
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    id = fields.id("id")
    title = fields.string("title")
    artist = fields.string("artist")
    platform = fields.word("platform")
    externalURL = fields.string("externalUrl")
    durationSeconds = fields.double("durationSeconds")
  }
}

extension MusicQueue {
  /// The playing track; nil if nothing plays or the index points nowhere.
  package var nowPlaying: MusicTrack? {
    guard let nowPlayingIndex, tracks.indices.contains(nowPlayingIndex) else { return nil }
    return tracks[nowPlayingIndex]
  }
}

/// The state of the music player (contract 5.2.12).
package struct MusicPhase: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Not playing.
  package static let idle = MusicPhase(rawValue: "idle")
  /// A track is being fetched.
  package static let loading = MusicPhase(rawValue: "loading")
  /// A track plays.
  package static let playing = MusicPhase(rawValue: "playing")
  /// A track pauses.
  package static let paused = MusicPhase(rawValue: "paused")
  /// Paused because a user is addressing the bot.
  package static let pausedWakeWord = MusicPhase(rawValue: "paused_wake_word")
  /// A track is being ended.
  package static let stopping = MusicPhase(rawValue: "stopping")
}

/// Why music pauses (contract 5.2.12).
package struct MusicPauseReason: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Requested by a user.
  package static let userPause = MusicPauseReason(rawValue: "user_pause")
  /// A user is addressing the bot.
  package static let wakeWord = MusicPauseReason(rawValue: "wake_word")
  /// A slash command.
  package static let slashCommand = MusicPauseReason(rawValue: "slash_command")
  /// The bot did it with a tool.
  package static let toolCall = MusicPauseReason(rawValue: "tool_call")
}

/// How music is handled while the bot speaks (contract 5.2.12).
package struct MusicHandoff: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// It becomes quieter.
  package static let duck = MusicHandoff(rawValue: "duck")
  /// It pauses.
  package static let pause = MusicHandoff(rawValue: "pause")
}

/// Where music is searched (contract 5.2.12).
package struct MusicPlatform: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Any platform that has the track.
  package static let auto = MusicPlatform(rawValue: "auto")
  /// YouTube.
  package static let youtube = MusicPlatform(rawValue: "youtube")
  /// SoundCloud.
  package static let soundcloud = MusicPlatform(rawValue: "soundcloud")
  /// A file in Discord.
  package static let discord = MusicPlatform(rawValue: "discord")
}

/// Where a queued track comes from (contract 5.2.12).
package struct MusicSource: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// YouTube.
  package static let youtube = MusicSource(rawValue: "yt")
  /// SoundCloud.
  package static let soundcloud = MusicSource(rawValue: "sc")
}
