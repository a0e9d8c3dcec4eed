import ArgumentParser

extension OpenCommand {
  /// The command of a start as most are: no argument but the verb, options of the list below, each
  /// once and with its value as a word of its own. Nil for everything else, errors included:
  /// ArgumentParser reads that, and says what is wrong with it.
  ///
  /// It is a sixth of the CPU up to the first frame: ArgumentParser looks at itself to find the
  /// options, and the runtime searches all conformances of the program for each type it meets.
  init?(plain arguments: [String]) {
    self.init()
    shared = .unset
    tab = nil
    readOnly = false
    linear = false
    var words = arguments[...]
    if words.first == Self.configuration.commandName { words.removeFirst() }
    var seen: Set<String> = []
    while let word = words.popFirst() {
      guard seen.insert(word).inserted else { return nil }
      switch word {
      case "--read-only": readOnly = true
      case "--linear": linear = true
      case "--utc": shared.utc = true
      case "--no-color": shared.noColor = true
      case "--allow-plain-http": shared.allowPlainHttp = true
      default:
        guard let value = words.popFirst(), let first = value.first, first != "-" else {
          return nil
        }
        switch word {
        case "--url": shared.url = value
        case "--token-file": shared.tokenFile = value
        case "--profile": shared.profile = value
        case "--ca-file": shared.caFile = value
        case "--guild": shared.guild = value
        case "--config": shared.config = value
        case "--theme": shared.theme = value
        case "--tab":
          guard let choice = TabChoice(rawValue: value) else { return nil }
          tab = choice
        default: return nil
        }
      }
    }
  }
}

extension SharedOptions {
  /// What ArgumentParser makes of no argument. Reading a property that was never set would trap;
  /// a test compares them all.
  fileprivate static var unset: Self {
    var options = Self()
    options.url = nil
    options.tokenFile = nil
    options.profile = nil
    options.caFile = nil
    options.guild = nil
    options.config = nil
    options.allowPlainHttp = false
    options.noColor = false
    options.color = nil
    options.theme = nil
    options.glyphs = nil
    options.utc = false
    options.memory = nil
    options.demo = nil
    return options
  }
}
