import { foldText } from '../../lib/text/fold-text.ts'
import { OTHER_SPELLING } from '../../lib/text/other-spelling.ts'

const AFTER_APOSTROPHE = /['’´`ʼ](\p{L}{3,})/gu

/** Additional search words: Angleterre for "d'Angleterre", "and" for "Rose & Crown", Saint for "St. Regis". */
export function alternativeWords(name: string): string[] {
  const words = [...name.matchAll(AFTER_APOSTROPHE)].map(([, word = '']) => word)
  if (name.includes('&')) words.push('and')
  return [
    ...words,
    ...foldText(name)
      .split(' ')
      .flatMap((word) => OTHER_SPELLING.get(word) ?? []),
  ]
}
