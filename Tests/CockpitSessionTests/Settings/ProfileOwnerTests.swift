import CockpitDomain
import CockpitFiles
import CockpitSession
import Testing

/// `setup` never turns a profile of one kind into another.
@Suite struct ProfileOwnerTests {
  private func settings() throws -> Settings {
    let environment = Environment(
      arguments: [], variables: ["HOME": "/nowhere", "TZ": "UTC"],
      output: Output(.function { _ in }, variables: [:], areTerminals: (false, false)),
      terminals: .init(input: false, output: false, error: false), readLine: { nil },
      end: { _ in })
    var settings = try Settings(GivenOptions(), in: environment)
    var profiles: [String: Configuration.Profile] = [:]
    for owner in ProfileOwner.all {
      var profile = Configuration.Profile()
      switch owner {
      case .source(.clanky): profile.url = "http://127.0.0.1:9"
      case .source(.openclaw): profile.gateway = Configuration.Gateway()
      case .source(.openai): profile.chatServer = Configuration.ChatServer()
      case .source(.elevenlabs): profile.elevenLabs = Configuration.ElevenLabs()
      case .source(.companion): profile.companion = Configuration.Companion()
      case .several: profile.sources = ["clanky", "openclaw"]
      }
      profiles["\(owner)"] = profile
    }
    settings.configuration.profiles = profiles
    return settings
  }

  @Test("each kind may change its own profiles and no others", arguments: ProfileOwner.all)
  func conflicts(owner: ProfileOwner) throws {
    let settings = try settings()
    #expect(owner.conflict("another name", in: settings) == nil)
    for old in ProfileOwner.all {
      let conflict = owner.conflict("\(old)", in: settings)
      #expect((conflict == nil) == (old == owner), "\(old): \(conflict ?? "")")
      #expect(conflict?.contains("left unchanged; choose another name") ?? true)
    }
  }
}
