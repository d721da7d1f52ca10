/** 13 to 19 digits, perhaps in groups. */
const CANDIDATE = /\d(?:[ -]?\d){12,18}/g
/** E.164: a plus and at most 15 digits. Card numbers are not written with a plus. */
const PHONE = /^\+[\d ()./-]+$/

/** Whether a text holds what could be a payment card number: right length, right check digit. */
export function holdsCardNumber(text: string): boolean {
  if (PHONE.test(text) && text.replace(/\D/g, '').length <= 15) return false
  return (text.match(CANDIDATE) ?? []).some((candidate) => windows(candidate.replace(/\D/g, '')).some(passesLuhn))
}

/** A number may stand inside a longer run of digits. */
function windows(digits: string): string[] {
  const found: string[] = []
  for (let length = 13; length <= 19; length += 1) {
    for (let at = 0; at + length <= digits.length; at += 1) found.push(digits.slice(at, at + length))
  }
  return found.filter((window) => /^[2-6]/.test(window))
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits[digits.length - 1 - at])
    const doubled = at % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The path of the first value in a JSON tree that holds one; undefined when none does. */
export function cardNumberPath(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return holdsCardNumber(value) ? path : undefined
  if (typeof value === 'number') return holdsCardNumber(String(value)) ? path : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, child] of Object.entries(value)) {
    if (holdsCardNumber(key)) return path === '' ? 'a key' : path
    const found = cardNumberPath(child, Array.isArray(value) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
