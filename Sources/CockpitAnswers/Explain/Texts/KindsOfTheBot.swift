extension Explanations {
  /// Kinds of rows about the bot as a whole, and the names that no backend writes (contract 4.4).
  static let kindsOfTheBot = ExplanationGroup(
    .kind,
    """
    bot_error: Something in the bot failed; the content begins with a name, then the message. Look
      what else happened in that second.
    bot_warning: The model's answer was not in the form that was asked for; the bot used it as
      plain text.
    bot_runtime: The public address of the backend is being set up or is ready.
    bot_lifecycle: The bot logged in, or looked for messages that came while it was away. The
      newest login is the best hint of when it started.
    dashboard: Something was done in the web dashboard: settings saved, a login, an installation.
      Compare its time with changes of behaviour.
    runtime: The bot looked at pictures or videos of a message, or checked the programs for that.
    speech: Not a kind that any backend writes: it is the kind of a turn in a voice session.
      Listed so that a row with it is not a surprise.
    direct: Not a kind that any backend writes: it is a type of video link.
    browser_session: Not a kind that any backend writes: it is a source of a stream that the bot
      publishes.
    tiktok: Not a kind that any backend writes: it is a type of video link.
    youtube: Not a kind that any backend writes: it is a type of video link.
    url: Not a kind that any backend writes: it is a source of a stream that the bot publishes.
    daily: Not a kind that any backend writes: it is a type of schedule.
    generic: Not a kind that any backend writes: it is a type of video link.
    interval: Not a kind that any backend writes: it is a type of schedule.
    membership: Not a kind that any backend writes: it is the kind of a turn in a voice session.
    effect: Not a kind that any backend writes: it is the kind of a turn in a voice session.
    visualizer: Not a kind that any backend writes: it is a source of a stream that the bot
      publishes.
    """)
}
