import { AppError } from '../../domain/errors.ts'

/** Digits with at most two other characters between them: 4111 1111…, 4111-1111…, 4111.1111…. */
const RUN = /\d(?:[^\p{L}\p{N}]{0,2}\d)+/gu
/** E.164: a plus and few digits. Card numbers have no plus, but 15 digits after one are more often a card. */
const PHONE = /^\+[\d ()./-]+$/
const PHONE_DIGITS_MAX = 14

/** Fewer characters than any card number has digits. One non-ASCII character may normalize to several digits. */
const SHORT = /^[\x20-\x7e]{0,12}$/

/** Many systems use UUIDs as references, and one in 1,700 random ones looks like a card number. */
const UUID = /(?<![\da-f])[\da-f]{8}(-?)[\da-f]{4}\1[1-8][\da-f]{3}\1[89ab][\da-f]{3}\1[\da-f]{12}(?![\da-f])/gi

/** Prefixes and lengths of the card schemes. */
const SCHEMES: readonly RegExp[] = [
  /^4(?:\d{12}|\d{15}|\d{18})$/,
  /^5[1-5]\d{14}$/,
  /^2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}$/,
  /^220[0-4]\d{12,15}$/,
  /^3[47]\d{13}$/,
  /^3(?:0[0-59]|[689]\d)\d{11,16}$/,
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/,
  /^(?:5[06-9]|6\d)\d{11,17}$/,
  /^(?:8[12]\d\d|9792)\d{12}$/,
]

/** True if a text may contain a card number: card-like grouping, a known scheme and a valid check digit. */
export function containsCardNumber(text: string): boolean {
  if (SHORT.test(text)) return false
  const plain = toAsciiDigits(text).replace(UUID, 'id')
  if (PHONE.test(plain) && plain.replace(/\D/g, '').length <= PHONE_DIGITS_MAX) return false
  return (plain.match(RUN) ?? []).some((run) => findCandidates(run).some(isCardNumber))
}

/** Converts full-width and Arabic digits to ASCII. */
const toAsciiDigits = (text: string) =>
  text.normalize('NFKC').replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))

/** Groups with one separator, as in 4-4-4-4 or 4-6-5. Adjacent dates or phone numbers mix separators and sizes. */
function findCandidates(run: string): string[] {
  const groups = run.split(/\D+/)
  const separators = run.split(/\d+/).slice(1, -1)
  const found: string[] = []
  for (let first = 0; first < groups.length; first += 1) {
    let digits = ''
    for (let last = first; last < groups.length && digits.length <= 19; last += 1) {
      if (last > first + 1 && separators[last - 1] !== separators[first]) break
      digits += groups[last]
      if (digits.length >= 13 && isCardGrouping(groups.slice(first, last))) found.push(digits)
    }
  }
  return found
}

/** The last group may have any size. */
const isCardGrouping = (before: readonly string[]) =>
  before.every(({ length }) => length >= 3) || before.every(({ length }) => length === before[0]?.length)

const isCardNumber = (digits: string) => SCHEMES.some((scheme) => scheme.test(digits)) && passesLuhn(digits)

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Path of the first card number in a JSON tree. */
export function cardNumberPath(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return containsCardNumber(value) ? path : undefined
  if (typeof value === 'number') return containsCardNumber(String(value)) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    if (containsCardNumber(key)) return path === '' ? 'a key' : path
    const found = cardNumberPath(child, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Throws if a request contains a card number. The error names the field and never repeats the number. */
export function refuseCardNumbers(value: unknown): void {
  const field = cardNumberPath(value)
  if (field === undefined) return
  throw new AppError(
    'card_data_not_accepted',
    'Card numbers are not accepted. Guests enter them only in the form of the payment provider.',
    { errors: [{ field, code: 'card_number', message: `${field} looks like a card number. Remove it.` }] },
  )
}
