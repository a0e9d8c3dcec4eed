import ClankyWire
import Foundation
import LenientJSON
import Testing

@Suite("Known settings")
struct SettingCatalogueTests {
  private let known = SettingCatalogue.known

  private func field(_ text: String) throws -> SettingField {
    let path = try #require(SettingPath(text))
    return try #require(known[path])
  }

  @Test("every field has a type, a sentence, and a default of its type")
  func fields() {
    #expect(known.fields.count > 300)
    #expect(Set(known.fields.map(\.path)).count == known.fields.count)
    for field in known.fields {
      #expect(!field.sentence.isEmpty, "\(field.path)")
      #expect(field.sentence.count <= 320, "\(field.path)")
      for value in [field.defaultValue, field.marchDefault].compactMap({ $0 }) {
        // `memoryLlm` is an empty object while it inherits.
        #expect(throws: Never.self, "\(field.path)") { try field.kind.check(value) }
        if case .url = field.kind { continue }
        if let expected = field.kind.expected(value, default: nil) {
          #expect(expected.meansSame(as: value), "\(field.path)")
        }
      }
    }
  }

  @Test("what is expected of values that do not fit")
  func clamping() throws {
    func expected(_ path: String, _ value: String) throws -> String? {
      let field = try field(path)
      return field.kind.expected(try .parse(value), default: field.defaultValue)?.serialized()
    }
    #expect(try expected("permissions.replies.maxMessagesPerHour", "9999") == "500")
    #expect(try expected("permissions.replies.maxMessagesPerHour", "12.9") == "12")
    #expect(try expected("permissions.replies.maxMessagesPerHour", "-3") == "0")
    #expect(try expected("interaction.replyGeneration.temperature", "8e-1") == "8e-1")
    #expect(try expected("interaction.replyGeneration.temperature", "7") == "2")
    #expect(try expected("identity.botName", "\"  ab  \"") == "\"ab\"")
    #expect(
      try expected("identity.botName", "\"\(String(repeating: "x", count: 60))\"")?.count == 52)
    #expect(try expected("voice.conversationPolicy.replyPath", "\"NATIVE\"") == "\"native\"")
    #expect(try expected("voice.conversationPolicy.replyPath", "\"odd\"") == "\"brain\"")
    #expect(
      try expected("permissions.replies.blockedUserIds", #"[" 1 ","1","","2"]"#) == #"["1","2"]"#)
  }

  @Test("what is typed becomes a value of the type, or is refused")
  func typed() throws {
    func value(_ path: String, _ text: String) throws -> String {
      let field = try field(path)
      return try field.kind.value(typed: text).serialized()
    }
    #expect(try value("voice.enabled", " Off ") == "false")
    #expect(try value("interaction.replyGeneration.temperature", "0.80") == "0.80")
    #expect(try value("identity.botName", "true") == "\"true\"")
    #expect(try value("identity.botName", #""a\nb""#) == #""a\nb""#)
    #expect(try value("permissions.replies.blockedUserIds", "1, 2,") == #"["1","2"]"#)
    #expect(try value("persona.hardLimits", #"["a, b"]"#) == #"["a, b"]"#)
    #expect(try value("voice.conversationPolicy.replyPath", "Native") == "\"native\"")
    #expect(
      try value("agentStack.runtimeConfig.voice.xai.sampleRateHz", "16000") == "16000")
    for (path, text) in [
      ("voice.enabled", "maybe"), ("memory.reflection.hour", "four"),
      ("voice.conversationPolicy.replyPath", "odd"), ("persona.hardLimits", "[1]"),
      ("initiative.voice.execution", "inherit"), ("initiative.voice.execution", "[]"),
    ] {
      #expect(throws: SettingValueProblem.self, "\(path) \(text)") { try value(path, text) }
    }
  }

  @Test("a part of a field has its default and its field")
  func parts() throws {
    let path = try #require(SettingPath("initiative.voice.execution.model.provider"))
    #expect(known.field(around: path)?.path.description == "initiative.voice.execution")
    #expect(
      known.defaultValue(at: path, in: .may, preset: nil)?.string == "claude-oauth")
    let voice = try #require(SettingPath("agentStack.runtimeConfig.voice.xai.voice"))
    #expect(known.defaultValue(at: voice, in: .march, preset: nil)?.string == "Rex")
    #expect(known.defaultValue(at: voice, in: .may, preset: nil)?.string == "eve")
    let transport = try #require(SettingPath("agentStack.runtimeConfig.voice.runtimeMode"))
    #expect(known.defaultValue(at: transport, in: .may, preset: "grok_native_agent") == nil)
  }
}

@Suite("Recorded settings")
struct RecordedSettingsTests {
  struct Recording: Sendable, CustomTestStringConvertible {
    var name: String
    var settings: BotSettings
    var testDescription: String { name }
  }

  static let recordings: [Recording] = {
    guard let folder = Shared.folder?.appending(path: "wire/captures/rest"),
      let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    else { return [] }
    return names.sorted().filter { $0.contains("ettings") || $0.contains("SETTINGS") }
      .filter { $0.hasSuffix(".json") }.compactMap { name in
        (try? Data(contentsOf: folder.appending(path: name))).flatMap {
          BotSettings(body: Array($0)).map { Recording(name: name, settings: $0) }
        }
      }
  }()

  @Test(.enabled(if: Shared.exists, "the captures are not beside the repository"))
  func areThere() { #expect(Self.recordings.count >= 50) }

  @Test(
    "every recorded document is read whole, and one changed setting is the only change",
    .enabled(if: Shared.exists, "the captures are not beside the repository"),
    arguments: recordings)
  func oneChange(_ recording: Recording) throws {
    let settings = recording.settings
    #expect(settings.flaw == nil)
    #expect(settings.dialect == (recording.name.contains("MARCH") ? .march : .may))
    for document in [settings.intent, settings.effective] {
      let text = JSONValue.object(document).serialized()
      let leaves = document.settings
      // A tenth of them in each recording, another tenth in each.
      for (index, leaf) in leaves.enumerated()
      where leaves.count < 40 || index % 10 == recording.name.utf8.count % 10 {
        let changed = try document.setting(leaf.path, to: .string("another"))
        #expect(SettingDifference.between(document, changed).map(\.path) == [leaf.path])
        let back = try changed.setting(leaf.path, to: leaf.value)
        #expect(JSONValue.object(back).serialized() == text)
      }
    }
  }

  @Test(
    "the tables name every recorded setting, with its type, and its default where it was not asked for",
    .enabled(if: Shared.exists, "the captures are not beside the repository"),
    arguments: recordings)
  func table(_ recording: Recording) throws {
    let settings = recording.settings
    let preset = settings.effective.value(at: SettingPath(["agentStack", "preset"]))?.string
    for leaf in settings.effective.settings {
      guard let field = SettingCatalogue.known.field(around: leaf.path),
        field.onlyIn == nil || field.onlyIn == settings.dialect,
        field.path != leaf.path || (try? field.kind.check(leaf.value)) != nil
      else {
        Issue.record("\(leaf.path)")
        continue
      }
    }
    for field in SettingCatalogue.known.fields {
      guard field.onlyIn == nil || field.onlyIn == settings.dialect, !field.isOptional,
        let value = settings.effective.value(at: field.path)
      else { continue }
      // What depends on another setting that was asked for says nothing about the default.
      guard settings.intent.isEmpty,
        let expected = field.defaultValue(in: settings.dialect, preset: preset)
      else { continue }
      if !expected.meansSame(as: value) {
        Issue.record("\(field.path): \(value.serialized())")
      }
    }
  }

  @Test(
    "what was expected of an odd value is what was stored",
    .enabled(if: Shared.exists, "the captures are not beside the repository"),
    arguments: recordings.filter { $0.name.contains("invalid_1") || $0.name.contains("edit") })
  func expectations(_ recording: Recording) throws {
    let settings = recording.settings
    for leaf in settings.intent.settings {
      guard let field = SettingCatalogue.known[leaf.path], !field.followsPreset,
        let stored = settings.effective.value(at: leaf.path),
        let expected = field.kind.expected(leaf.value, default: field.defaultValue)
      else { continue }
      #expect(expected.meansSame(as: stored), "\(leaf.path): \(stored.serialized())")
    }
  }
}
