import { foldText } from '../../../src/lib/text/fold-text.ts'

/** Uses a domain reserved for examples, so that no mail is ever delivered. */
export function createEmail(name: string): string {
  const host = foldText(name)
    .replace(/[^a-z0-9 ]/g, '')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 40)
    .replace(/-$/, '')
  return `stay@${host || 'house'}.example`
}
