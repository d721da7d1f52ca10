import createBidi, { type Bidi } from 'bidi-js'
import { BOLD, type Fonts } from './fonts.ts'

// Its declaration describes the file for bundlers; what Node loads is the function itself.
const bidi = (createBidi as unknown as () => Bidi)()

/** Characters that are printed one after the other in one font, in one direction. */
type Run = { readonly text: string; readonly face: number; readonly rtl: boolean }

/** Stands for a character that no font has, such as an emoji. */
const MISSING = '\ufffd'
/** Belong to the character before them, whatever font that is in. */
const JOINING = /[\p{M}\u200c\u200d]/u
/** Control characters, and those that turn or hide text. */
const UNSEEN = /[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

export const cleanLine = (line: string): string => line.normalize('NFC').replace(UNSEEN, '')

/** A line's runs from left to right, as a reader sees them, and whether the line itself begins at the right. */
export function shapeLine(line: string, fonts: Fonts, bold = false): { runs: Run[]; rtl: boolean } {
  const levels = bidi.getEmbeddingLevels(line)
  const mirrored = bidi.getMirroredCharactersMap(line, levels.levels)
  const base = levels.paragraphs[0]?.level ?? 0
  const runs: { text: string; face: number; level: number; rtl: boolean }[] = []
  let at = 0
  for (const character of line) {
    const level = levels.levels[at] ?? 0
    const before = runs.at(-1)
    const shown = mirrored.get(at) ?? character
    const { text, face } = faceFor(shown, fonts, bold, before?.level === level ? before.face : undefined)
    if (before?.face === face && before.level === level) before.text += text
    else runs.push({ text, face, level, rtl: level % 2 === 1 })
    at += character.length
  }
  return { runs: inVisualOrder(runs).map(logical), rtl: base % 2 === 1 }
}

/** The font for a character. Marks and spaces use the font of the character before them, if it has them. */
function faceFor(character: string, fonts: Fonts, bold: boolean, before: number | undefined) {
  const own = fonts.faceOf(character.codePointAt(0) ?? 0)
  if (before !== undefined && JOINING.test(character)) return { text: character, face: before }
  if (own === undefined) return { text: MISSING, face: fonts.faceOf(MISSING.charCodeAt(0)) ?? 0 }
  const isLatin = own === fonts.faceOf(0x61)
  return { text: character, face: bold && isLatin ? BOLD : own }
}

/** Rule L2 of the Unicode bidirectional algorithm: from the highest level down, what is at least there is turned round. */
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

/** The shaper turns letters that are written from right to left itself; signs between them it does not know as such. */
function logical({ text, face, rtl }: Run): Run {
  return { text: rtl && !RIGHT_TO_LEFT.test(text) ? [...text].reverse().join('') : text, face, rtl }
}

const words = new Intl.Segmenter('en', { granularity: 'word' })
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Lines no wider than `width`: broken between words, and inside a word only where it alone is wider. */
export function breakLines(text: string, width: number, widthOf: (text: string) => number): string[] {
  const lines: string[] = []
  let [line, used] = ['', 0]
  for (const piece of piecesOf(text, width, widthOf)) {
    if (line !== '' && used + widthOf(piece.trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = piece.trimStart()
      used = widthOf(line)
    } else {
      line += piece
      used += widthOf(piece)
    }
  }
  return [...lines, line.trimEnd()]
}

function piecesOf(text: string, width: number, widthOf: (text: string) => number): string[] {
  const pieces: string[] = []
  for (const { segment, isWordLike } of words.segment(text)) {
    const last = pieces.length - 1
    // Punctuation and spaces stay with the word before.
    if (isWordLike !== true && last >= 0 && segment.length < 20) pieces[last] += segment
    else if (widthOf(segment) <= width) pieces.push(segment)
    else pieces.push(...Array.from(graphemes.segment(segment), (one) => one.segment))
  }
  return pieces
}
