import { type Container, openColumns } from './byte-columns.ts'

/** What is said once for many places. */
export type LocationMeta = {
  readonly countries: readonly { readonly code: string; readonly name: string; readonly words: string }[]
  readonly regions: readonly { readonly name: string; readonly words: string }[]
  readonly timezones: readonly string[]
  /** Source keys that are not plain GeoNames numbers; `keyNumber` points here when `keyIsNumber` is 0. */
  readonly keys: readonly string[]
  /** What stands between the name and the region: the city of an airport, the county of the fourth Springfield. */
  readonly details: readonly string[]
}

/** The rows, most important first: a row's number is its rank. */
export type LocationRows = LocationMeta & {
  readonly count: number
  readonly type: Uint8Array
  readonly importance: Uint16Array
  readonly lat: Int32Array
  readonly lon: Int32Array
  readonly country: Uint8Array
  /** Into `regions`, plus one; 0 is none. */
  readonly region: Uint16Array
  readonly regionIsShown: Uint8Array
  /** Into `details`, plus one; 0 is none. */
  readonly detail: Uint32Array
  readonly timezone: Uint16Array
  readonly population: Uint32Array
  /** In hundreds of metres. */
  readonly radius: Uint16Array
  readonly keyIsNumber: Uint8Array
  readonly keyNumber: Uint32Array
  /** Byte offsets into `nameBytes`; one more than there are rows. */
  readonly nameAt: Uint32Array
  readonly nameBytes: Uint8Array
  /** Row numbers in the order of their UUIDs. */
  readonly byUuid: Uint32Array
}

/** The keys in byte order, each sharing `shared` bytes with the one before; and what they stand for. */
export type LocationKeys = {
  readonly shared: Uint8Array
  readonly length: Uint8Array
  readonly bytes: Uint8Array
  readonly postings: Uint16Array
  /** row × 4 + index into NAME_KINDS. */
  readonly posting: Uint32Array
  /** Later words of the keys, in byte order of what follows: the key, the byte where the word starts, … */
  readonly wordKey: Uint32Array
  readonly wordAt: Uint8Array
  readonly wordIsGeneric: Uint8Array
  /** … and how many more keys sort before this word than before the previous one. */
  readonly wordAfter: Uint16Array
}

export const DEGREES = 10_000

export function decodeLocationFile(bytes: Uint8Array): { rows: LocationRows; keys: LocationKeys } {
  const file = openColumns(bytes)
  return { rows: decodeRows(file), keys: decodeKeys(file) }
}

/** Without the keys, which only a search needs. */
export const decodeLocationRows = (bytes: Uint8Array): LocationRows => decodeRows(openColumns(bytes))

function decodeRows(file: Container): LocationRows {
  const nameLength = file.column('nameLength', 'u8')
  const nameAt = new Uint32Array(nameLength.length + 1)
  for (let row = 0; row < nameLength.length; row++)
    nameAt[row + 1] = (nameAt[row] as number) + (nameLength[row] as number)
  return {
    ...(file.meta as LocationMeta),
    count: nameLength.length,
    type: file.column('type', 'u8'),
    importance: file.column('importance', 'u16'),
    lat: file.column('lat', 'i32'),
    lon: file.column('lon', 'i32'),
    country: file.column('country', 'u8'),
    region: file.column('region', 'u16'),
    regionIsShown: file.column('regionIsShown', 'u8'),
    detail: file.column('detail', 'u32'),
    timezone: file.column('timezone', 'u16'),
    population: file.column('population', 'u32'),
    radius: file.column('radius', 'u16'),
    keyIsNumber: file.column('keyIsNumber', 'u8'),
    keyNumber: file.column('keyNumber', 'u32'),
    nameAt,
    nameBytes: file.column('nameBytes', 'u8'),
    byUuid: file.column('byUuid', 'u32'),
  }
}

function decodeKeys(file: Container): LocationKeys {
  return {
    shared: file.column('keyShared', 'u8'),
    length: file.column('keyLength', 'u8'),
    bytes: file.column('keyBytes', 'u8'),
    postings: file.column('keyPostings', 'u16'),
    posting: file.column('posting', 'u32'),
    wordKey: file.column('wordKey', 'u32'),
    wordAt: file.column('wordAt', 'u8'),
    wordIsGeneric: file.column('wordIsGeneric', 'u8'),
    wordAfter: file.column('wordAfter', 'u16'),
  }
}
