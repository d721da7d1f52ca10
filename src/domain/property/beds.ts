import { memoize } from '../../lib/async/memoize.ts'

export const BED_TYPES = ['king', 'queen', 'double', 'twin', 'single', 'sofa', 'bunk'] as const
export type BedType = (typeof BED_TYPES)[number]
export type Bed = { readonly type: BedType; readonly count: number }

/** "1 King Bed and 2 Sofa Beds". */
export const describeBeds = (beds: readonly Bed[]): string =>
  beds.map(({ type, count }) => `${count} ${capitalize(type)} Bed${count === 1 ? '' : 's'}`).join(' and ')

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

const CACHED_MAX = 2_000

/** Reads `describeBeds` and similar English texts of vendors; empty if a part is unknown. */
export const parseBeds = memoize(CACHED_MAX, (text: string): readonly Bed[] => {
  const beds = text.split(/ and /i).map(parseBed)
  return beds.every((bed) => bed !== undefined) ? beds : []
})

function parseBed(text: string): Bed | undefined {
  const [, count = '1', name = ''] = /^(?:(\d{1,2}) )?(.+)$/.exec(text) ?? []
  const type = findBedType(name)
  return type === undefined || !/\bbeds?\b/i.test(name) || / or /i.test(name)
    ? undefined
    : { type, count: Number(count) }
}

/** A "double sofa bed" is a sofa, and a "double bed (super-king size)" is larger than a double bed. */
const BY_WORD: readonly (readonly [RegExp, BedType])[] = [
  [/sofa/i, 'sofa'],
  [/bunk/i, 'bunk'],
  [/\bking|\bsuper-king/i, 'king'],
  [/queen/i, 'queen'],
  [/twin/i, 'twin'],
  [/single/i, 'single'],
  [/double|\bfull/i, 'double'],
]

/** From a vendor's code such as `KingBed`, or from an English name. */
export const findBedType = (name: string): BedType | undefined => BY_WORD.find(([word]) => word.test(name))?.[1]
