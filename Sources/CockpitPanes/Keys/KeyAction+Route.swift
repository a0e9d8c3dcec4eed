import CockpitStores

extension KeyAction {
  /// The routes without one of which the command has nothing to do, on any tab. What a key changes depends on the
  /// tab: `TabPane.routes(of:)`.
  package var routes: [BackendRoute] {
    switch self {
    case .settings, .runtime: [.settings]
    case .settingsPreset: [.settings, .saveSettings, .presetSettings]
    case .settingsReset: [.settings, .saveSettings, .resetSettings]
    case .settingsApply: [.settings, .applySettings]
    case .purgeMemory: [.purge]
    case .refreshMemory: [.refreshMemory]
    case .joinVoice: [.join]
    default: []
    }
  }
}
