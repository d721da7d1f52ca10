/** A text, an amount, dates or whatever else a vendor may say, in one line. */
export function said(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(said).join('; ')
  if (typeof value !== 'object') return CODE.test(String(value)) ? String(value).replaceAll('_', ' ') : String(value)
  const { given_name: given, family_name: family, ...others } = value as Record<string, unknown>
  const person = [given, family].map(said).filter(Boolean).join(' ')
  const facts = Object.entries(others)
    .filter(([, one]) => one !== null && one !== '')
    .map(([name, one]) => `${NAMES[name] ?? name.replaceAll('_', ' ')} ${said(one)}`)
  return [...(person === '' ? [] : [person]), ...facts].join(', ')
}

/** Such as `partly_cancelled`. References and ids stay as they are. */
const CODE = /^[a-z]+(_[a-z]+)+$/

const NAMES: Readonly<Record<string, string>> = { vendors_property_id: 'id' }
