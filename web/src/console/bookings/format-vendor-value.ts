/** Formats any value that a vendor reports in one line. */
export function formatVendorValue(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(formatVendorValue).join('; ')
  if (typeof value !== 'object') return CODE.test(String(value)) ? String(value).replaceAll('_', ' ') : String(value)
  const { given_name: given, family_name: family, ...others } = value as Record<string, unknown>
  const person = [given, family].map(formatVendorValue).filter(Boolean).join(' ')
  const facts = Object.entries(others)
    .filter(([, member]) => member !== null && member !== '')
    .map(([name, member]) => `${FIELD_NAMES[name] ?? name.replaceAll('_', ' ')} ${formatVendorValue(member)}`)
  return [...(person === '' ? [] : [person]), ...facts].join(', ')
}

/** Codes such as `partly_cancelled`; references and ids stay unchanged. */
const CODE = /^[a-z]+(_[a-z]+)+$/

const FIELD_NAMES: Readonly<Record<string, string>> = { vendors_property_id: 'id' }
