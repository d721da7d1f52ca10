import createBidi, { type Bidi } from 'bidi-js'
import { BOLD, type Fonts } from './fonts.ts'

// The declaration describes the bundler file. Node loads the function itself.
const bidi = (createBidi as unknown as () => Bidi)()

/** Consecutive characters in one font and one direction. */
type Run = { readonly text: string; readonly face: number; readonly rtl: boolean }

/** Replaces a character that no font has, such as an emoji. */
const MISSING = '\ufffd'
/** Printed in the font of the character before. */
const JOINING = /[\p{M}\u200c\u200d]/u
/** Control characters, and those that reorder or hide text. */
const INVISIBLE = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

export const cleanLine = (line: string): string => line.normalize('NFC').replace(INVISIBLE, '')

/** Runs of a line from left to right, and the direction of the line itself. */
export function shapeLine(line: string, fonts: Fonts, bold = false): { runs: Run[]; rtl: boolean } {
  const levels = bidi.getEmbeddingLevels(line)
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels)
  const base = levels.paragraphs[0]?.level ?? 0
  const runs: { text: string; face: number; level: number; rtl: boolean }[] = []
  let offset = 0
  for (const character of line) {
    const level = levels.levels[offset] ?? 0
    const before = runs.at(-1)
    const shown = mirrored.get(offset) ?? character
    const { text, face } = faceFor(shown, fonts, bold, before?.level === level ? before.face : undefined)
    if (before?.face === face && before.level === level) before.text += text
    else runs.push({ text, face, level, rtl: level % 2 === 1 })
    offset += character.length
  }
  return { runs: inVisualOrder(runs).map(toLogicalOrder), rtl: base % 2 === 1 }
}

/** The font for a character. Marks and spaces use the font of the character before them, if it has them. */
function faceFor(character: string, fonts: Fonts, bold: boolean, before: number | undefined) {
  const own = fonts.findFace(character.codePointAt(0) ?? 0)
  if (before !== undefined && JOINING.test(character)) return { text: character, face: before }
  if (own === undefined) return { text: MISSING, face: fonts.findFace(MISSING.charCodeAt(0)) ?? 0 }
  const isLatin = own === fonts.findFace(0x61)
  return { text: character, face: bold && isLatin ? BOLD : own }
}

/** Rule L2 of the Unicode bidirectional algorithm: reverses runs at each level, from the highest down. */
function inVisualOrder<T extends { readonly level: number }>(runs: readonly T[]): T[] {
  const ordered = [...runs]
  const highest = Math.max(0, ...runs.map(({ level }) => level))
  for (let level = highest; level >= 1; level -= 1) {
    for (let start = 0; start < ordered.length; start += 1) {
      let end = start
      while ((ordered[end]?.level ?? -1) >= level) end += 1
      ordered.splice(start, end - start, ...ordered.slice(start, end).reverse())
      start = Math.max(start, end)
    }
  }
  return ordered
}

/** The shaper reverses right-to-left letters itself, but not the characters between them. */
function toLogicalOrder({ text, face, rtl }: Run): Run {
  return { text: rtl && !RIGHT_TO_LEFT.test(text) ? [...text].reverse().join('') : text, face, rtl }
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Breaks between words, and inside a word only if the word alone is too wide. */
export function breakLines(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = []
  let [line, used] = ['', 0]
  for (const piece of splitPieces(text, width, measure)) {
    if (line !== '' && used + measure(piece.trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = piece.trimStart()
      used = measure(line)
    } else {
      line += piece
      used += measure(piece)
    }
  }
  return [...lines, line.trimEnd()]
}

function splitPieces(text: string, width: number, measure: (text: string) => number): string[] {
  const pieces: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = pieces.length - 1
    // Punctuation and spaces stay with the word before.
    if (isWordLike !== true && last >= 0 && segment.length < 20) pieces[last] += segment
    else if (measure(segment) <= width) pieces.push(segment)
    else pieces.push(...Array.from(graphemes.segment(segment), (grapheme) => grapheme.segment))
  }
  return pieces
}
