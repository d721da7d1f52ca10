import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'
import * as fontkit from 'fontkit'
import { convert } from 'fontverter'
import subsetFont from 'subset-font'
import { readArguments, refuse } from '../read-arguments.ts'

const DATA = fileURLToPath(new URL('../../data/', import.meta.url))
const PACKAGES = fileURLToPath(new URL('node_modules/@fontsource/', import.meta.url))
const USAGE = `Usage: node build.mjs      in scripts/fonts, after "npm ci" there

Writes data/fonts.bin and data/fonts.json.`
readArguments(USAGE, { options: {} })
if (!existsSync(PACKAGES)) refuse(USAGE, 'The font packages are missing.')

/** Small fonts first: a character is printed in the first font that has it. */
const FONTS = [
  'noto-sans',
  ...'arabic hebrew thai devanagari georgian armenian bengali tamil ethiopic khmer lao myanmar'
    .split(' ')
    .map((script) => `noto-sans-${script}`),
  ...'gujarati gurmukhi telugu kannada malayalam sinhala'.split(' ').map((script) => `noto-sans-${script}`),
]
/** Split into some hundred files each. Later fonts only add characters that earlier ones lack. */
const HAN_FONTS = ['noto-sans-sc', 'noto-sans-kr', 'noto-sans-tc', 'noto-sans-jp']

const faces = []
const parts = []
const covered = new Set()
let size = 0

/** As TrueType, because subsetting at run time fails on the compound glyphs of WOFF2. */
async function pack(file) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_LGWIN]: 24 }
  const bytes = brotliCompressSync(await convert(Buffer.from(file), 'truetype'), { params })
  parts.push(bytes)
  size += bytes.length
  return { from: size - bytes.length, length: bytes.length }
}

async function add(font, codePoints, file) {
  faces.push({ font, ranges: formatRanges(codePoints), ...(await pack(file)) })
}

const readFont = (font, slice, weight) =>
  readFileSync(`${PACKAGES}${font}/files/${font}-${slice.replace(/[[\]]/g, '')}-${weight}-normal.woff2`)

function readSlices(font) {
  const slices = JSON.parse(readFileSync(`${PACKAGES}${font}/unicode.json`, 'utf8'))
  return Object.entries(slices).map(([slice, ranges]) => [slice, parseCodePoints(ranges)])
}

function parseCodePoints(ranges) {
  return ranges.split(',').flatMap((range) => {
    const [first = '', last = first] = range.trim().slice(2).split('-')
    const start = Number.parseInt(first, 16)
    return Array.from({ length: Number.parseInt(last, 16) - start + 1 }, (_, index) => start + index)
  })
}

/** Pairs of first and last code point, in hexadecimal. */
function formatRanges(codePoints) {
  const ranges = []
  for (const code of [...codePoints].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last !== undefined && code <= last[1] + 1) last[1] = code
    else ranges.push([code, code])
  }
  return ranges.map(([a, b]) => (a === b ? a.toString(16) : `${a.toString(16)}-${b.toString(16)}`)).join(' ')
}

/** Characters that the file really contains and no earlier file has. */
function claimCharacters(file, codePoints) {
  const font = fontkit.create(file)
  const fresh = codePoints.filter((code) => !covered.has(code) && font.hasGlyphForCodePoint(code))
  for (const code of fresh) covered.add(code)
  return fresh
}

for (const font of FONTS) {
  for (const [slice, codePoints] of readSlices(font)) {
    // A later font repeats the Latin letters and has a few symbols that do not occur in names.
    if (font !== 'noto-sans' && !font.endsWith(slice)) continue
    const file = readFont(font, slice, 400)
    const fresh = claimCharacters(file, codePoints)
    if (fresh.length > 0) await add(font, fresh, file)
  }
}
for (const font of HAN_FONTS) {
  for (const [slice, codePoints] of readSlices(font)) {
    const han = codePoints.filter((code) => code >= 0x2e80 && !(code >= 0x1f000 && code < 0x20000))
    if (han.every((code) => covered.has(code))) continue
    const whole = readFont(font, slice, 400)
    const fresh = claimCharacters(whole, han)
    if (fresh.length === 0) continue
    const isComplete = fresh.length > 0.9 * codePoints.length
    const text = String.fromCodePoint(...fresh)
    await add(font, fresh, isComplete ? whole : await subsetFont(whole, text, { targetFormat: 'truetype' }))
  }
}
const bold = await pack(readFont('noto-sans', 'latin', 700))

writeFileSync(`${DATA}fonts.bin`, Buffer.concat(parts))
const manifest = { bold, faces }
writeFileSync(`${DATA}fonts.json`, `${JSON.stringify(manifest, null, 1)}\n`)
const licences = [...FONTS, ...HAN_FONTS].map((font) => [font, readFileSync(`${PACKAGES}${font}/LICENSE`, 'utf8')])
const owners = licences.map(([font, text]) => `${font}: ${text.split('\n')[0]}`)
const licence = licences[0]?.[1].split('\n').slice(1).join('\n') ?? ''
writeFileSync(`${DATA}fonts.LICENSE`, `${owners.join('\n')}\n${licence}`)
console.log(`${faces.length} faces, ${covered.size} characters, ${(size / 1e6).toFixed(1)} MB`)
