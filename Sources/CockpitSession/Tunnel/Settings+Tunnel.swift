import CockpitFiles
import Networking

extension Settings {
  /// The tunnel to an address that is seen from an ssh host; nil for any other.
  ///
  /// - Parameter profile: whose address it is; nil is the profile in use.
  @MainActor package func tunnel(
    to base: BackendURL, of profile: Configuration.Profile? = nil, clock: any LinkClock
  ) -> SSHTunnel? {
    guard let host = base.via, SSHHost.problem(host) == nil else { return nil }
    let file = (profile ?? self.profile).sshConfig
    let tunnel = SSHTunnel(
      host: host, configuration: file.map { Self.path($0, in: configuration, environment) },
      base: base, environment: process.variables, clock: clock)
    process.scope?.onEnd { tunnel.stop() }
    return tunnel
  }

  /// The ssh host of an address: that of the profile in use, if the address is the profile's.
  func sshHost(of base: BackendURL) -> String? {
    guard options.source == nil, let host = profile.ssh,
      let own = try? BackendURL(profile.url ?? "", allowPlainHTTP: true),
      own.hasSameOrigin(as: base)
    else { return nil }
    return host
  }
}
