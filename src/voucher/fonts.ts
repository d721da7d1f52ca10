import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'

const FOLDER = join(import.meta.dirname, '../../data')

/** Where one font lies in `fonts.bin`, compressed. `ranges` are the characters that it is to print. */
type Place = { readonly from: number; readonly length: number }
type Manifest = { readonly bold: Place; readonly faces: readonly (Place & { readonly ranges: string })[] }

type Range = { readonly first: number; readonly last: number; readonly face: number }

/** Latin letters in bold, for headings of ours; everything else is printed in the regular face that has it. */
export const BOLD = -1

export type Fonts = {
  /** The face that has the character; undefined where none does. */
  faceOf(codePoint: number): number | undefined
  read(face: number): Promise<Uint8Array>
}

/** Some 37,000 characters of living scripts in 366 small fonts, of which a voucher needs a few. */
export async function openFonts(): Promise<Fonts> {
  opened ??= await readManifest()
  return opened
}

let opened: Fonts | undefined

async function readManifest(): Promise<Fonts> {
  const manifest: Manifest = JSON.parse(await readFile(join(FOLDER, 'fonts.json'), 'utf8'))
  const ranges = manifest.faces.flatMap((face, at) => rangesOf(face.ranges, at)).sort((a, b) => a.first - b.first)
  return {
    faceOf: (codePoint) => findRange(ranges, codePoint)?.face,
    async read(face) {
      const place = face === BOLD ? manifest.bold : manifest.faces[face]
      if (place === undefined) throw new Error(`there is no font ${face}`)
      await using file = await open(join(FOLDER, 'fonts.bin'))
      const bytes = new Uint8Array(place.length)
      await file.read(bytes, 0, place.length, place.from)
      return brotliDecompressSync(bytes)
    },
  }
}

const rangesOf = (text: string, face: number): Range[] =>
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
