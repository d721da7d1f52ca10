import type { Image } from '../../../domain/property/property.ts'
import { plainText } from '../../../lib/text/clean-markup.ts'
import { asInteger, asRecord, asRecords, asText, readCode, type Wire } from '../../wire/read.ts'
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
  const known = asRecords(list)
    .filter((image) => SAFE_PATH.test(asText(image.path)))
    .map((image) => ({ image, type: readImageType(image), place: readOrder(image) }))
    .sort((a, b) => a.place - b.place)
  const hero = known.find(({ type }) => type === 'GEN') ?? known[0]
  const ordered = hero === undefined ? known : [hero, ...known.filter((entry) => entry !== hero)]
  return ordered.map(({ image, type }) => {
    const path = asText(image.path)
    return {
      roomCode: readCode(image.roomCode),
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

const readTypeObject = (image: Wire) => asRecord(image.type)

const readImageType = (image: Wire) => readCode(image.imageTypeCode) || readCode(readTypeObject(image)?.code)

const readOrder = (image: Wire) => asInteger(image.visualOrder) ?? asInteger(image.order) ?? Number.MAX_SAFE_INTEGER
