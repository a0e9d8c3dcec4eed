/// A member of the invented servers.
struct Person: Sendable, Hashable {
  var id: String
  var name: String
  var isBot = false
}

/// A text or voice channel.
struct Channel: Sendable, Hashable {
  var id: String
  var name: String
  var isVoice = false
  var category: String?
}

/// A Discord server the bot is in.
struct Guild: Sendable, Hashable {
  var id: String
  var name: String
  var channels: [Channel]

  /// The text channel `name`, else the first one.
  func text(_ name: String) -> Channel {
    channels.first { !$0.isVoice && $0.name == name } ?? channels[0]
  }

  /// The voice channel `name`, else the first one.
  func voice(_ name: String) -> Channel {
    channels.first { $0.isVoice && $0.name == name }
      ?? channels.first { $0.isVoice } ?? channels[0]
  }
}

/// All people and places of the demo. All names and ids are invented.
enum Cast {
  static let bot = Person(id: "1093217645008912384", name: "clanky", isBot: true)
  /// The tag of the first bot, or of another one.
  static func tag(_ bot: Int = 0) -> String {
    bot == 0 ? "clanky#4417" : "clanky-\(bot + 1)#\(4417 + bot)"
  }
  static let owner = nadia

  static let nadia = Person(id: "284019573310447616", name: "Nadia Vale")
  static let tomasz = Person(id: "391750284466921472", name: "tomasz")
  static let hana = Person(id: "512068834917744640", name: "花 Hana")
  static let dov = Person(id: "607731295580160001", name: "דב כהן")
  static let rosalind = Person(id: "198340027715584000", name: "Rosalind 🐝")
  static let kofi = Person(id: "745512960038043648", name: "kofi.b")
  static let wren = Person(id: "860244119377018880", name: "wren (she/they)")
  static let yusuf = Person(id: "433087712690667520", name: "Yusuf_Ö")
  static let jukebox = Person(id: "911200456789012480", name: "jukebox-bot", isBot: true)

  static let people = [nadia, tomasz, hana, dov, rosalind, kofi, wren, yusuf]

  static let ridge = Guild(
    id: "771043920118841344", name: "Ridge Runners",
    channels: [
      Channel(id: "771044103355465728", name: "campfire", category: "Talk"),
      Channel(id: "771044188927524864", name: "trip-plans", category: "Talk"),
      Channel(id: "771044276120354816", name: "gear-bench", category: "Talk"),
      Channel(id: "771044401823711232", name: "bot-corner", category: "Workshop"),
      Channel(id: "771044655390162944", name: "Base Camp", isVoice: true, category: "Voice"),
      Channel(id: "771044702127554560", name: "Night Walk", isVoice: true, category: "Voice"),
    ])
  static let bakery = Guild(
    id: "822190335507759104", name: "パン屋 Slow Oven",
    channels: [
      Channel(id: "822190512444813312", name: "proofing", category: "Kitchen"),
      Channel(id: "822190688714653696", name: "crumb-shots", category: "Kitchen"),
      Channel(id: "822190950774013952", name: "lounge"),
      Channel(id: "822191104340230144", name: "Ovenside", isVoice: true, category: "Voice"),
    ])
  static let arcade = Guild(
    id: "903377815264153600", name: "Pixel & Solder 🕹️",
    channels: [
      Channel(id: "903377990011658240", name: "build-log", category: "Bench"),
      Channel(id: "903378145234784256", name: "minecraft", category: "Games"),
      Channel(id: "903378299006283776", name: "general"),
      Channel(id: "903378421408681984", name: "Soldering Den", isVoice: true, category: "Voice"),
    ])
  static let guilds = [ridge, bakery, arcade]

  /// The users in each voice channel when the operator asks the bot to join.
  static let voiceOccupants: [String: [Person]] = [
    ridge.voice("Base Camp").id: [nadia, tomasz, hana],
    bakery.voice("Ovenside").id: [rosalind, dov],
  ]

  static func guild(_ id: String?) -> Guild? { guilds.first { $0.id == id } }

  static func person(_ id: String?) -> Person? {
    people.first { $0.id == id } ?? (id == bot.id ? bot : nil)
  }
}

/// A text place: the guild and channel an action belongs to.
struct Place: Sendable, Hashable {
  var guild: String?
  var channel: String?

  static let nowhere = Place(guild: nil, channel: nil)

  init(guild: String?, channel: String?) {
    self.guild = guild
    self.channel = channel
  }

  init(_ guild: Guild, _ channel: String) {
    self.guild = guild.id
    self.channel = guild.text(channel).id
  }
}
