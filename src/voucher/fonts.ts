import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

const FOLDER = join(import.meta.dirname, '../../data')

/** Position of a compressed font in `fonts.bin`. `ranges` are the characters it prints. */
type Place = { readonly from: number; readonly length: number }
type Manifest = { readonly bold: Place; readonly faces: readonly (Place & { readonly ranges: string })[] }

type Range = { readonly first: number; readonly last: number; readonly face: number }

/** Bold Latin letters for our headings. Other text uses the regular face that has the character. */
export const BOLD = -1

export type Fonts = {
  /** Undefined if no face has the character. */
  findFace(codePoint: number): number | undefined
  read(face: number): Promise<Uint8Array>
}

/** About 37,000 characters of living scripts in 366 small fonts. A voucher needs only a few of them. */
export async function openFonts(): Promise<Fonts> {
  opened ??= await readManifest()
  return opened
}

let opened: Fonts | undefined

async function readManifest(): Promise<Fonts> {
  const manifest: Manifest = JSON.parse(await readFile(join(FOLDER, 'fonts.json'), 'utf8'))
  const ranges = manifest.faces
    .flatMap((face, index) => parseRanges(face.ranges, index))
    .sort((a, b) => a.first - b.first)
  return {
    findFace: (codePoint) => findRange(ranges, codePoint)?.face,
    async read(face) {
      const place = face === BOLD ? manifest.bold : manifest.faces[face]
      if (place === undefined) throw new Error(`unknown font ${face}`)
      await using file = await open(join(FOLDER, 'fonts.bin'))
      const bytes = new Uint8Array(place.length)
      await file.read(bytes, 0, place.length, place.from)
      return brotliDecompressSync(bytes)
    },
  }
}

const parseRanges = (text: string, face: number): Range[] =>
  text.split(' ').map((range) => {
    const [first = '', last = first] = range.split('-')
    return { first: Number.parseInt(first, 16), last: Number.parseInt(last, 16), face }
  })

function findRange(ranges: readonly Range[], codePoint: number): Range | undefined {
  let [low, high] = [0, ranges.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const range = ranges[middle]
    if (range === undefined) return undefined
    if (codePoint < range.first) high = middle - 1
    else if (codePoint > range.last) low = middle + 1
    else return range
  }
  return undefined
}
