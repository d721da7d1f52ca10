/** Locale-aware money and time. Plain dates are formatted in UTC, so time zones cannot shift them. */
export type Formats = ReturnType<typeof createFormats>

const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }
const TIME: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
const YEAR: Intl.DateTimeFormatOptions = { year: 'numeric' }

type MoneyFormat = { format(amount: number): string; formatToParts(amount: number): Intl.NumberFormatPart[] }
type Format = MoneyFormat | Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules

export function createFormats(locale: string) {
  const cache = new Map<string, Format>()
  const cached = <T extends Format>(key: string, make: () => T): T => {
    const known = cache.get(key)
    if (known !== undefined) return known as T
    const made = make()
    cache.set(key, made)
    return made
  }
  const moneyFormat = (currency: string, rounded: boolean) =>
    cached(`money ${currency} ${rounded}`, () => makeMoney(locale, currency, rounded))
  const inZone = (date: Date, zone: string, options: Intl.DateTimeFormatOptions) =>
    cached(`${zone} ${JSON.stringify(options)}`, () => makeDate(locale, zone, options)).format(date)
  /** With the year, unless it is the present one. */
  const near = (date: Date, zone: string, options: Intl.DateTimeFormatOptions, far = options) => {
    const isThisYear = inZone(date, zone, YEAR) === inZone(new Date(), zone, YEAR)
    return inZone(date, zone, isThisYear ? options : { ...far, ...YEAR })
  }
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
    day: (date: string) => near(midnight(date), 'UTC', DAY),
    longDay: (date: string) => inZone(midnight(date), 'UTC', { ...DAY, ...YEAR, weekday: 'long', month: 'long' }),
    /** A moment in the property's local time. With the year it has no weekday, so that it is hardly longer. */
    moment: (iso: string, zone: string) => near(new Date(iso), zone, { ...DAY, ...TIME }, TIME),
    plural: (count: number) => cached('plural', () => new Intl.PluralRules(locale)).select(count),
  }
}

const midnight = (date: string) => new Date(`${date}T00:00:00Z`)

/** Intl alone would round others to whole units too, the forint for example, although prices in them have decimals. */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'
const digitsOf = (currency: string): number =>
  WITHOUT_DECIMALS.includes(currency) ? 0 : THREE_DECIMALS.includes(currency) ? 3 : 2

function makeMoney(locale: string, currency: string, rounded: boolean): MoneyFormat {
  const digits = rounded ? 0 : digitsOf(currency)
  const options: Intl.NumberFormatOptions = {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: 'stripIfInteger',
  }
  try {
    // The narrow symbol is `$` for US, Canadian and Australian dollars alike.
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'symbol', ...options })
  } catch {
    return withCode(new Intl.NumberFormat(locale, { maximumFractionDigits: rounded ? 0 : 2 }), currency)
  }
}

/** For codes that Intl does not take: the number, and the code after it. */
function withCode(number: Intl.NumberFormat, code: string): MoneyFormat {
  return {
    format: (amount) => `${number.format(amount)}\u00a0${code}`,
    formatToParts: (amount) => [
      ...number.formatToParts(amount),
      { type: 'literal', value: '\u00a0' },
      { type: 'currency', value: code },
    ],
  }
}

function makeDate(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
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
