import { MINOR_DIGITS } from '../api/service-rules.ts'

/** Plain dates are formatted in UTC, so time zones cannot shift them. */
export type Formats = ReturnType<typeof createFormats>

const DAY: Intl.DateTimeFormatOptions = { weekday: 'short', day: 'numeric', month: 'short' }
const TIME: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }
const YEAR: Intl.DateTimeFormatOptions = { year: 'numeric' }

type MoneyFormat = { format(amount: number): string; formatToParts(amount: number): Intl.NumberFormatPart[] }
type Format = MoneyFormat | Intl.NumberFormat | Intl.DateTimeFormat | Intl.PluralRules | Intl.ListFormat

export function createFormats(locale: string) {
  const cache = new Map<string, Format>()
  const cached = <T extends Format>(key: string, create: () => T): T => {
    const known = cache.get(key)
    if (known !== undefined) return known as T
    const format = create()
    cache.set(key, format)
    return format
  }
  const moneyFormat = (currency: string, rounded: boolean) =>
    cached(`money ${currency} ${rounded}`, () => createMoneyFormat(locale, currency, rounded))
  const inZone = (date: Date, zone: string, options: Intl.DateTimeFormatOptions) =>
    cached(`${zone} ${JSON.stringify(options)}`, () => createDateFormat(locale, zone, options)).format(date)
  /** Includes the year unless it is the current one. */
  const formatNear = (date: Date, zone: string, options: Intl.DateTimeFormatOptions, far = options) => {
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
    /** Never broken over two lines. */
    day: (date: string) => formatNear(toMidnight(date), 'UTC', DAY).replaceAll(' ', '\u00a0'),
    weekday: (date: string) => inZone(toMidnight(date), 'UTC', { weekday: 'short' }),
    longDay: (date: string) => inZone(toMidnight(date), 'UTC', { ...DAY, ...YEAR, weekday: 'long', month: 'long' }),
    /** In the property's local time. The weekday is omitted if the year is shown, to save space. */
    moment: (iso: string, zone: string) => formatNear(new Date(iso), zone, { ...DAY, ...TIME }, TIME),
    list: (names: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction') =>
      cached(`list ${type}`, () => new Intl.ListFormat(locale, { type })).format(names),
    /** For numbers and plurals inside a message. */
    formatters: {
      getNumberFormat: (_: Intl.LocalesArgument, options?: Intl.NumberFormatOptions) =>
        cached(`number ${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options)),
      getPluralRules: () => cached('plural', () => new Intl.PluralRules(locale)),
      getDateTimeFormat: () => new Intl.DateTimeFormat(locale),
    },
  }
}

const toMidnight = (date: string) => new Date(`${date}T00:00:00Z`)

function createMoneyFormat(locale: string, currency: string, rounded: boolean): MoneyFormat {
  // Intl would also round currencies such as the forint, whose prices have decimals.
  const digits = rounded ? 0 : (MINOR_DIGITS[currency] ?? 2)
  const options: Intl.NumberFormatOptions = {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    trailingZeroDisplay: 'stripIfInteger',
  }
  try {
    // The narrow symbol is `$` for US, Canadian and Australian dollars alike.
    return new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'symbol', ...options })
  } catch {
    return appendCode(new Intl.NumberFormat(locale, { maximumFractionDigits: rounded ? 0 : 2 }), currency)
  }
}

/** For codes that Intl rejects: the number, followed by the code. */
function appendCode(number: Intl.NumberFormat, code: string): MoneyFormat {
  return {
    format: (amount) => `${number.format(amount)}\u00a0${code}`,
    formatToParts: (amount) => [
      ...number.formatToParts(amount),
      { type: 'literal', value: '\u00a0' },
      { type: 'currency', value: code },
    ],
  }
}

function createDateFormat(locale: string, timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(locale, { ...options, timeZone })
  } catch {
    // Unknown zone.
    return new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  }
}

/** Names the country at the end of an address: "Rua Nova 12, Lisboa, PT" → "Rua Nova 12, Lisboa, Portugal". */
export function nameCountry(address: string, locale: string): string {
  const [, rest = address, code] = /^(.*, )([A-Z]{2})$/s.exec(address) ?? []
  return code === undefined ? address : rest + (new Intl.DisplayNames(locale, { type: 'region' }).of(code) ?? code)
}

/** "Europe/Paris" → "Paris". */
export const zoneCity = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

export const ratingWord = (overall: number) =>
  overall >= 4.5 ? 'rating_superb' : overall >= 4 ? 'rating_very_good' : overall >= 3.5 ? 'rating_good' : 'rating_fair'
