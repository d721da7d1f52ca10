/** Letters that Unicode does not decompose into a base letter and a mark. */
const WHOLE_LETTERS: Record<string, string> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  æ: 'ae',
  œ: 'oe',
  ı: 'i',
  ħ: 'h',
  ŋ: 'n',
  ə: 'e',
}
const PLAIN = /^[\x20-\x7e]*$/
const WHOLE_LETTER = new RegExp(`[${Object.keys(WHOLE_LETTERS).join('')}]`, 'g')

/** Marks that distinguish パリ (Paris) from バリ (Bali): letters to a Japanese reader, not accents. */
const KANA_MARKS = '\\u3099\\u309a'
const ACCENTS = new RegExp(`(?![${KANA_MARKS}])\\p{M}`, 'gu')
const BETWEEN_WORDS = new RegExp(`[^\\p{L}\\p{N}${KANA_MARKS}]+`, 'gu')
const HIRAGANA = /[\u3041-\u3096]/g
const KATAKANA_AFTER_HIRAGANA = 0x60

/**
 * Normalises text for comparison: lower case, no accents, punctuation as single spaces: "Saint-Émilion" → "saint emilion".
 * Hiragana becomes katakana, because Japanese readers type とうきょう on the way to 東京.
 */
export function foldText(text: string): string {
  // Fast path: most texts are plain, and loading a catalogue calls this a million times.
  if (PLAIN.test(text))
    return text
      .toLowerCase()
      .replace(/['`]/g, '')
      .replace(/[^a-z0-9]+/g, ' ')
      .trim()
  return text
    .replaceAll('´', "'") // NFKD would turn it into a space and an accent.
    .normalize('NFKD')
    .toLowerCase()
    .replace(ACCENTS, '')
    .replace(HIRAGANA, (kana) => String.fromCharCode(kana.charCodeAt(0) + KATAKANA_AFTER_HIRAGANA))
    .replace(WHOLE_LETTER, (letter) => WHOLE_LETTERS[letter] ?? letter)
    .replace(/['’ʻ`ʼ]/g, '')
    .replace(BETWEEN_WORDS, ' ')
    .trim()
}
