import { plainText } from '../../lib/text/clean-markup.ts'
import { asRecord, asText } from '../wire/read.ts'

/** Text of `{ content: "…" }`, or a bare string as in room descriptions. */
export const readContentText = (value: unknown): string =>
  typeof value === 'string' ? value : asText(asRecord(value)?.content)

const NAME_MAX = 200

/** Removes markup and converts names in capitals ("DOUBLE STANDARD") to title case. */
export function tidyName(text: string): string {
  const clean = plainText(text).slice(0, NAME_MAX)
  if (clean !== clean.toUpperCase() || clean === clean.toLowerCase()) return clean
  return clean
    .toLowerCase()
    .replace(/(^|[\s(/&+-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
