import CockpitStores

extension KeyAction {
  /// The route without which the command has nothing to do, on any tab.
  package var route: BackendRoute? {
    switch self {
    case .settings, .settingsPreset, .settingsReset, .settingsApply, .runtime: .settings
    case .search: .search
    case .purgeMemory: .purge
    case .refreshMemory: .refreshMemory
    case .joinVoice: .join
    default: nil
    }
  }
}
