import { plainText } from '../../lib/text/clean-markup.ts'
import { recordOf, textOf } from '../wire/read.ts'

/** The text of `{ content: "…" }`, or of a bare string (room descriptions are one). */
export const contentOf = (value: unknown): string =>
  typeof value === 'string' ? value : textOf(recordOf(value)?.content)

const NAME_MAX = 200

/** Text for a heading, without markup. Most names come in capitals ("DOUBLE STANDARD"); these get capital initials. */
export function tidyName(text: string): string {
  const clean = plainText(text).slice(0, NAME_MAX)
  if (clean !== clean.toUpperCase() || clean === clean.toLowerCase()) return clean
  return clean
    .toLowerCase()
    .replace(/(^|[\s(/&+-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
