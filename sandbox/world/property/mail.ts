import { foldText } from '../../../src/lib/text/fold-text.ts'

/** On a domain that is reserved for examples, so that no mail is ever delivered. */
export function mailOf(name: string): string {
  const host = foldText(name)
    .replace(/[^a-z0-9 ]/g, '')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 40)
    .replace(/-$/, '')
  return `stay@${host || 'house'}.example`
}
