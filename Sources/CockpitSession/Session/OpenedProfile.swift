import CockpitDomain
import CockpitFiles
import MainLoop

/// What a profile shows: one source, or several.
@MainActor
package struct OpenedProfile {
  /// At least one, in the order of the configuration.
  package let sources: [OpenedSource]
  /// Of the profile.
  package let settings: Settings

  package var first: OpenedSource { sources[0] }

  /// The address of the only source, or the names of several.
  package var name: String {
    sources.count == 1
      ? first.name : sources.map(\.settings.profileName).joined(separator: ", ")
  }

  /// A profile of one source.
  package init(_ source: OpenedSource) {
    sources = [source]
    settings = source.settings
  }

  private init(_ sources: [OpenedSource], _ settings: Settings) {
    self.sources = sources
    self.settings = settings
  }

  /// Opens what the settings name.
  ///
  /// - Parameter mayBlock: as in `Backend.open`.
  /// - Throws: why the first that could not be opened cannot be; its name stands before the reason.
  package static func open(
    _ settings: Settings, on loop: any EventLoop, mayBlock: Bool = false
  ) async throws -> OpenedProfile {
    guard !settings.sourceNames.isEmpty else {
      return OpenedProfile(
        try await OpenedSource.open(
          settings, on: loop, mayBlock: mayBlock, isForScreen: true, isCockpit: true))
    }
    var opened: [OpenedSource] = []
    for source in try settings.settingsOfSources() {
      do {
        opened.append(
          try await OpenedSource.open(
            source, on: loop, mayBlock: mayBlock, isForScreen: true, isCockpit: true))
      } catch var failure as Failure {
        for source in opened { source.source.stop() }
        failure.sentence = source.profileName + ": " + failure.sentence
        throw failure
      }
    }
    return OpenedProfile(opened, settings)
  }
}
