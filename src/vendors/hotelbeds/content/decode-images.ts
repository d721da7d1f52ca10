import type { Image } from '../../../domain/property/property.ts'
import { plainText } from '../../../lib/text/clean-markup.ts'
import { asInteger, codeOf, recordOf, recordsOf, textOf, type Wire } from '../../wire/read.ts'
import { readContentText } from '../wire.ts'

/** An image and its room type, if any. */
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

/** Path inside the photo host. */
const SAFE_PATH = /^[A-Za-z0-9][A-Za-z0-9._-]*(?:\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/

/**
 * In the vendor's order, a general view first. 800, 320 and 117 pixels wide: some images lack the larger sizes, and the
 * photo host then answers 403.
 */
export function decodeImages(list: unknown, photoBase: string): PlacedImage[] {
  const known = recordsOf(list)
    .filter((image) => SAFE_PATH.test(textOf(image.path)))
    .map((image) => ({ image, type: readImageType(image), place: readOrder(image) }))
    .sort((a, b) => a.place - b.place)
  const hero = known.find(({ type }) => type === 'GEN') ?? known[0]
  const ordered = hero === undefined ? known : [hero, ...known.filter((entry) => entry !== hero)]
  return ordered.map(({ image, type }) => {
    const path = textOf(image.path)
    return {
      roomCode: codeOf(image.roomCode),
      image: {
        caption: CAPTIONS.get(type) ?? plainText(readContentText(readTypeObject(image)?.description)).slice(0, 100),
        hero: image === hero?.image,
        hi: `${photoBase}bigger/${path}`,
        med: `${photoBase}${path}`,
        lo: `${photoBase}medium/${path}`,
      },
    }
  })
}

const readTypeObject = (image: Wire) => recordOf(image.type)

const readImageType = (image: Wire) => codeOf(image.imageTypeCode) || codeOf(readTypeObject(image)?.code)

const readOrder = (image: Wire) => asInteger(image.visualOrder) ?? asInteger(image.order) ?? Number.MAX_SAFE_INTEGER
