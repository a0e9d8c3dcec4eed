extension Explanations {
  /// Fields of facts, search, profiles and reflections (contract 6).
  static let fieldsOfMemory = ExplanationGroup(
    .field,
    """
    evidence: The words that a fact was taken from.
    subjectName: The name of the one whom the fact is about.
    subjectOverride: Another subject that the fact was given.
    storedFact: The text of the fact as it was stored.
    storedSubject: Whom it was stored about.
    saveReason: Why it was stored or not.
    score: How well it fits: meaning, words, confidence, age and channel together. Not comparable
      without embeddings.
    semanticScore: How well the meaning fits; 0 on every hit means that there are no embeddings.
    lexicalScore: How well the words fit.
    factCount: How many facts there are.
    lastSeenAt: When the subject last had a change.
    limit: How many were asked for.
    facts: The facts.
    results: What was found.
    subjects: People and special subjects with facts.
    markdown: All memory as one text. Without a server it can be old.
    author: Who wrote it.
    authorName: Who wrote it.
    authorId: Who wrote it, by id.
    anchorMessageId: The message around which earlier talk was found.
    ageMinutes: How old it is, in minutes.
    messages: The messages of it.
    summaryText: What a voice session was about.
    endedAt: When it ended.
    durableProfile: What is remembered of the person.
    promptContext: What else would go into the prompt.
    activeVoiceSession: The live voice session of the server.
    cachedUsers: People whose facts are loaded in the session.
    userFactProfile: Facts about one person.
    isPrimary: Whether the answer is for this person.
    participantProfiles: Facts about each person present.
    slice: The facts that an answer would have in front of it.
    ownerProfile: Private facts about the owner.
    strategy: How the review worked.
    extractorProvider: The provider that found facts.
    extractorModel: The model that found facts.
    adjudicatorProvider: The provider that chose facts.
    adjudicatorModel: The model that chose facts.
    erroredAt: When it failed.
    startContent: What was said at its start.
    completionContent: What was said at its end.
    errorContent: What was said when it failed.
    supersedes: The older fact that this one replaced.
    subjectLabel: The name of the one whom the fact is about.
    actorDisplayName: The name of the one who said it.
    actorRole: Whether a person or the bot said it.
    actorUserId: Who said it, by id.
    """)
}
