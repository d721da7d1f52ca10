import { type Container, openColumns } from './byte-columns.ts'

/** Values shared by many places. */
export type LocationMeta = {
  readonly countries: readonly { readonly code: string; readonly name: string; readonly words: string }[]
  readonly regions: readonly { readonly name: string; readonly words: string }[]
  readonly timezones: readonly string[]
  /** Source keys that are not GeoNames numbers; `keyNumber` is an index into them if `keyIsNumber` is 0. */
  readonly keys: readonly string[]
  /** Text between name and region: the city of an airport, the county of an ambiguous Springfield. */
  readonly details: readonly string[]
}

export type LocationRows = ReturnType<typeof decodeRows>
export type LocationKeys = ReturnType<typeof decodeKeys>

/** Coordinates are stored as integers in units of 1/10,000 degree. */
export const UNITS_PER_DEGREE = 10_000

export function decodeLocationFile(bytes: Uint8Array): { rows: LocationRows; keys: LocationKeys } {
  const file = openColumns(bytes)
  return { rows: decodeRows(file), keys: decodeKeys(file) }
}

export const decodeLocationRows = (bytes: Uint8Array): LocationRows => decodeRows(openColumns(bytes))

/** Most important first: a row's number is its rank. */
function decodeRows(file: Container) {
  const nameLength = file.column('nameLength', 'u8')
  const nameAt = new Uint32Array(nameLength.length + 1)
  for (let row = 0; row < nameLength.length; row++) nameAt[row + 1] = (nameAt[row] ?? 0) + (nameLength[row] ?? 0)
  return {
    ...(file.meta as LocationMeta),
    count: nameLength.length,
    type: file.column('type', 'u8'),
    importance: file.column('importance', 'u16'),
    lat: file.column('lat', 'i32'),
    lon: file.column('lon', 'i32'),
    country: file.column('country', 'u8'),
    /** Into `regions`, plus one; 0 is none. */
    region: file.column('region', 'u16'),
    regionIsShown: file.column('regionIsShown', 'u8'),
    /** Into `details`, plus one; 0 is none. */
    detail: file.column('detail', 'u32'),
    timezone: file.column('timezone', 'u16'),
    population: file.column('population', 'u32'),
    /** In hundreds of metres. */
    radius: file.column('radius', 'u16'),
    keyIsNumber: file.column('keyIsNumber', 'u8'),
    keyNumber: file.column('keyNumber', 'u32'),
    /** Byte offsets into `nameBytes`, plus the end. */
    nameAt,
    nameBytes: file.column('nameBytes', 'u8'),
    /** Row numbers in the order of their UUIDs. */
    byUuid: file.column('byUuid', 'u32'),
  }
}

/** Keys in byte order, each sharing its first `shared` bytes with the previous one. */
function decodeKeys(file: Container) {
  return {
    shared: file.column('keyShared', 'u8'),
    length: file.column('keyLength', 'u8'),
    bytes: file.column('keyBytes', 'u8'),
    postings: file.column('keyPostings', 'u16'),
    /** row × 4 + index into NAME_KINDS. */
    posting: file.column('posting', 'u32'),
    /** Later words of the keys, sorted by the text from there: the key, the byte at which the word starts, … */
    wordKey: file.column('wordKey', 'u32'),
    wordAt: file.column('wordAt', 'u8'),
    wordIsGeneric: file.column('wordIsGeneric', 'u8'),
    /** … and the number of keys between the previous word and this one. */
    wordAfter: file.column('wordAfter', 'u16'),
  }
}
