export type SplitPhone = { readonly country_code: string; readonly area_code?: string; readonly number: string }

/** Calling codes of two digits; 1 and 7 have one, all others three (ITU E.164). */
const TWO_DIGITS = new Set(
  (
    '20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58 60 61 62 63 64 65 66 ' +
    '81 82 84 86 90 91 92 93 94 95 98'
  ).split(' '),
)
/** E.164 allows no more; Rapid takes 25 characters over all parts. */
const DIGITS_MAX = 15

/**
 * A telephone number in the parts Rapid wants. A number written without a country is taken to be from the business's
 * own; one too short to be a number is replaced by the business's.
 */
export function splitPhone(phone: string, businessPhone: string): SplitPhone {
  const written = phone.trim().replace(/^00/, '+')
  const digits = written.replace(/\D/g, '').slice(0, DIGITS_MAX)
  if (digits.length < 5) return partsOf(businessPhone.replace(/\D/g, ''))
  if (written.startsWith('+')) return partsOf(digits)
  const country = countryCodeOf(businessPhone.replace(/\D/g, ''))
  return partsOf(`${country}${digits.replace(/^0/, '')}`.slice(0, DIGITS_MAX))
}

function partsOf(digits: string): SplitPhone {
  const country_code = countryCodeOf(digits)
  const national = digits.slice(country_code.length)
  if (country_code !== '1' || national.length !== 10) return { country_code, number: national }
  return { country_code, area_code: national.slice(0, 3), number: national.slice(3) }
}

function countryCodeOf(digits: string): string {
  if (digits.startsWith('1') || digits.startsWith('7')) return digits.slice(0, 1)
  return TWO_DIGITS.has(digits.slice(0, 2)) ? digits.slice(0, 2) : digits.slice(0, 3)
}
