/** Locale-aware money and time. Plain dates are formatted in UTC, so time zones cannot shift them. */
export type Formats = ReturnType<typeof createFormats>

const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }

export function createFormats(locale: string) {
  const cache = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules>()
  const cached = <T extends Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules>(
    key: string,
    make: () => T,
  ): T => {
    const known = cache.get(key)
    if (known !== undefined) return known as T
    const made = make()
    cache.set(key, made)
    return made
  }
  const moneyFormat = (currency: string, rounded: boolean) =>
    cached(`money ${currency} ${rounded}`, () => makeMoney(locale, currency, rounded))
  const plain = (date: string, options: Intl.DateTimeFormatOptions) =>
    cached(
      `plain ${JSON.stringify(options)}`,
      () => new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }),
    ).format(new Date(`${date}T00:00:00Z`))
  return {
    locale,
    money: (amount: number, currency: string) => moneyFormat(currency, false).format(amount),
    moneyParts: (amount: number, currency: string) => moneyFormat(currency, false).formatToParts(amount),
    /** Without cents, for map pins. */
    roundMoney: (amount: number, currency: string) => moneyFormat(currency, true).format(amount),
    number: (value: number, digits = 0) =>
      cached(
        `number ${digits}`,
        () => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
      ).format(value),
    day: (date: string) => plain(date, DAY),
    longDay: (date: string) => plain(date, { ...DAY, weekday: 'long', month: 'long', year: 'numeric' }),
    /** A moment in the property's local time. */
    moment: (iso: string, zone: string) =>
      cached(`moment ${zone}`, () => makeMoment(locale, zone)).format(new Date(iso)),
    plural: (count: number) => cached('plural', () => new Intl.PluralRules(locale)).select(count),
  }
}

function makeMoney(locale: string, currency: string, rounded: boolean): Intl.NumberFormat {
  const options: Intl.NumberFormatOptions = rounded
    ? { maximumFractionDigits: 0 }
    : { trailingZeroDisplay: 'stripIfInteger' }
  try {
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...options })
  } catch {
    // Unknown currency code: show the number alone.
    return new Intl.NumberFormat(locale, { maximumFractionDigits: rounded ? 0 : 2 })
  }
}

function makeMoment(locale: string, timeZone: string): Intl.DateTimeFormat {
  const options: Intl.DateTimeFormatOptions = { ...DAY, hour: 'numeric', minute: '2-digit' }
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone })
  } catch {
    // Unknown zone.
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}

/** "Europe/Paris" → "Paris". */
export const zoneCity = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** The label for a rating out of 5. */
export const ratingWord = (overall: number) =>
  overall >= 4.5 ? 'rating_superb' : overall >= 4 ? 'rating_very_good' : overall >= 3.5 ? 'rating_good' : 'rating_fair'
