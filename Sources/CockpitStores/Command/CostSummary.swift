/// The bot's costs, from stored rows and the backend's daily sums. US dollars.
///
/// An unknown value is nil, never 0: a log shorter than six hours has no rate over six hours.
package struct CostSummary: Hashable, Sendable {
  /// The key in `byModel` of rows without a model.
  package static let noModel = CostDay.noModel

  /// One UTC day.
  package struct Day: Hashable, Sendable {
    /// Days since 1970-01-01, UTC.
    package var number: Int
    package var usd: Double

    package init(number: Int, usd: Double) {
      self.number = number
      self.usd = usd
    }
  }

  /// One model, or one kind, of today.
  package struct Share: Hashable, Sendable {
    /// Words of the backend; not sanitised.
    package var name: String
    package var usd: Double
    package var calls: Int
    package var tokens: Tokens

    package init(name: String, usd: Double, calls: Int, tokens: Tokens = Tokens()) {
      self.name = name
      self.usd = usd
      self.calls = calls
      self.tokens = tokens
    }
  }

  package struct Tokens: Hashable, Sendable {
    package var input = 0
    package var output = 0
    package var cacheRead = 0
    package var cacheWrite = 0
    /// Input that could have been cached, the base of the cached share (`CachedInput`).
    package var cacheableInput = 0

    package init() {}

    /// The share of the input that came from the cache; nil if no call reports it.
    package var cacheShare: Double? {
      cacheableInput > 0 ? min(1, Double(cacheRead) / Double(cacheableInput)) : nil
    }
  }

  /// Spending per hour, over a window that ends now.
  package struct Rate: Hashable, Sendable {
    /// The source of the window.
    package enum Window: Hashable, Sendable {
      /// The last `overMs` milliseconds.
      case last
      /// The UTC day so far.
      case today
    }

    /// The windows that are meant, in ms: 15 minutes and six hours.
    package static let shortMs: Int64 = 900_000
    package static let longMs: Int64 = 21_600_000

    package var usdPerHour: Double
    /// The length of the window.
    package var overMs: Int64
    package var window: Window

    package init(usdPerHour: Double, overMs: Int64, window: Window = .last) {
      self.usdPerHour = usdPerHour
      self.overMs = overMs
      self.window = window
    }

    init(usd: Double, overMs: Int64, window: Window = .last) {
      self.init(
        usdPerHour: usd * 3_600_000 / Double(overMs), overMs: overMs, window: window)
    }
  }

  /// The expected total at midnight UTC; see `CostForecaster`.
  package struct Forecast: Hashable, Sendable {
    /// The input of the forecast.
    package enum Basis: Hashable, Sendable {
      /// This many of the last hours.
      case hours(Int)
      /// The current rate, over this many milliseconds.
      case rate(overMs: Int64)
      /// This many earlier days: the rows do not reach back far enough.
      case days(Int)
    }

    package var usd: Double
    /// Holds the truth four times in five; nil if too few hours are known.
    package var interval: ClosedRange<Double>?
    /// The number of recent hours behind the interval.
    package var hours: Int?
    package var basis: Basis

    package init(
      usd: Double, interval: ClosedRange<Double>? = nil, hours: Int? = nil, basis: Basis
    ) {
      self.usd = usd
      self.interval = interval
      self.hours = interval == nil ? nil : hours
      self.basis = basis
    }
  }

  /// Today, UTC: 0 when the day has no row yet; nil before the first statistics.
  package var today: Double?
  /// All rows that the backend retains.
  package var retained: Double?
  /// Oldest first, 14 entries ending today; nil if the backend does not list the day: it cost
  /// nothing, or precedes the first row.
  package var days: [Double?] = []
  /// Over the last 15 minutes, or over their known part of at least a minute.
  package var rate: Rate?
  /// Over the last six hours, or over their known part, or the UTC day so far; nil if that is no
  /// longer than the short window.
  package var longRate: Rate?
  /// The earliest time from which a rate can be measured; nil if unknown.
  package var measuredFromMs: Int64?
  package var forecast: Forecast?
  /// The known rows of today, most expensive first.
  package var byModel: [Share] = []
  package var byKind: [Share] = []
  /// Whether the known rows reach back to midnight UTC; otherwise the shares cover part of the day.
  package var coversToday = false
  /// Today, of the known rows.
  package var tokens = Tokens()
  /// Today's calls without a price, such as those of an OAuth account.
  package var freeCalls = 0

  package init() {}
}
