import { plainText } from '../../lib/clean-markup.ts'

const NAME_MAX = 200

/** Text for a heading: without markup, and not shouted ("DOUBLE STANDARD", "LONDON"), as most names here come. */
export function tidyName(text: string): string {
  const clean = plainText(text).slice(0, NAME_MAX)
  if (clean !== clean.toUpperCase() || clean === clean.toLowerCase()) return clean
  return clean
    .toLowerCase()
    .replace(/(^|[\s(/&+-])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
}
