import type { Image } from '../../../domain/property/property.ts'
import { plainText } from '../../../lib/text/clean-markup.ts'
import { codeOf, recordOf, recordsOf, textOf, type Wire, wholeOf } from '../../wire/read.ts'
import { contentOf } from '../wire.ts'

/** A picture and the room type it shows, where it shows one. */
export type PlacedImage = { readonly image: Image; readonly roomCode: string }

const CAPTIONS: ReadonlyMap<string, string> = new Map([
  ['GEN', 'General view'],
  ['HAB', 'Room'],
  ['RES', 'Restaurant'],
  ['COM', 'Lobby'],
  ['BAR', 'Bar'],
  ['CON', 'Conferences'],
  ['DEP', 'Sports'],
  ['PIS', 'Pool'],
  ['TER', 'Terrace'],
  ['PLA', 'Beach'],
])

/** A path inside the photo host and nothing that could leave it. */
const SAFE_PATH = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/**
 * In the vendor's own order, a general view first. 800, 320 and 117 pixels wide: the larger sizes are missing for
 * some pictures, and the photo host then answers 403.
 */
export function decodeImages(list: unknown, photoBase: string): PlacedImage[] {
  const known = recordsOf(list)
    .filter((image) => SAFE_PATH.test(textOf(image.path)))
    .map((image) => ({ image, type: typeOf(image), place: placeOf(image) }))
    .sort((a, b) => a.place - b.place)
  const hero = known.find(({ type }) => type === 'GEN') ?? known[0]
  const ordered = hero === undefined ? known : [hero, ...known.filter((entry) => entry !== hero)]
  return ordered.map(({ image, type }) => {
    const path = textOf(image.path)
    return {
      roomCode: codeOf(image.roomCode),
      image: {
        caption: CAPTIONS.get(type) ?? plainText(contentOf(described(image)?.description)).slice(0, 100),
        hero: image === hero?.image,
        hi: `${photoBase}bigger/${path}`,
        med: `${photoBase}${path}`,
        lo: `${photoBase}medium/${path}`,
      },
    }
  })
}

const described = (image: Wire) => recordOf(image.type)

const typeOf = (image: Wire) => codeOf(image.imageTypeCode) || codeOf(described(image)?.code)

const placeOf = (image: Wire) => wholeOf(image.visualOrder) ?? wholeOf(image.order) ?? Number.MAX_SAFE_INTEGER
