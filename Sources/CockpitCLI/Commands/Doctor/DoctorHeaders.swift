import CockpitFiles

/// What `doctor` says of the headers that an owner adds to requests. That their values could be had is known by then.
enum DoctorHeaders {
  static func checks(_ profile: Configuration.Profile) -> [DoctorCheck] {
    let headers = profile.talk.headers
    guard !headers.isEmpty else { return [] }
    let words = headers.map { header in
      if case .literal = header.value { return "\(header.name) from the configuration itself" }
      return "\(header.name) from \(header.value.place)"
    }
    let isWritten = headers.contains { if case .literal = $0.value { true } else { false } }
    let text = words.joined(separator: ", ")
    guard isWritten else { return [DoctorCheck("headers", .ok, text)] }
    return [
      DoctorCheck(
        "headers", .warn, text,
        "keep the value elsewhere: \"env:NAME\", \"file:PATH\" or \"command:LINE\"")
    ]
  }
}
