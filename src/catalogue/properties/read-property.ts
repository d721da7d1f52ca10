import type { VendorProperty } from '../../domain/property/property.ts'
import type { PropertyEntry } from '../index/geo-index.ts'
import type { CatalogueReader } from '../store/catalogue.ts'
import { mergeContent } from './merge-content.ts'
import { decodeRefs, encodeRefs, readContents } from './stored-content.ts'

export type PropertyContent = PropertyEntry & {
  /** Result of `mergeContent`. Its rooms are those of one vendor. */
  readonly merged: VendorProperty
  /** Content of each vendor, including rooms, in the order of `vendors`. */
  readonly contents: readonly VendorProperty[]
}

/** Chains of redirects are short; this limits the damage of a manually edited database. */
const JOINS_MAX = 10

/** Follows redirects of merged properties. */
export async function readProperty(
  store: Pick<CatalogueReader, 'properties'>,
  propertyId: string,
): Promise<PropertyEntry | undefined> {
  let id = propertyId
  for (let joins = 0; joins < JOINS_MAX; joins += 1) {
    const [row] = await store.properties([id])
    if (row === undefined) return undefined
    if (row.merged_into === null)
      return { propertyId: id, point: { lat: row.lat, lon: row.lon }, vendors: decodeRefs(row.vendors) }
    id = row.merged_into
  }
  return undefined
}

/** Current id of each property, by the requested id. */
export async function currentIds(
  store: Pick<CatalogueReader, 'properties'>,
  propertyIds: readonly string[],
): Promise<Map<string, string>> {
  const current = new Map(propertyIds.map((id) => [id, id]))
  for (let joins = 0; joins < JOINS_MAX; joins += 1) {
    const rows = await store.properties([...new Set(current.values())])
    const joined = new Map(
      rows.flatMap((row) => (row.merged_into === null ? [] : [[row.property_id, row.merged_into]])),
    )
    if (joined.size === 0) break
    for (const [id, before] of current) current.set(id, joined.get(before) ?? before)
  }
  return current
}

export async function readPropertyContent(
  store: Pick<CatalogueReader, 'properties' | 'contents'>,
  propertyId: string,
): Promise<PropertyContent | undefined> {
  const found = await readProperty(store, propertyId)
  if (found === undefined) return undefined
  const rows = [{ property_id: found.propertyId, vendors: encodeRefs(found.vendors) }]
  const contents = (await readContents(store, rows)).get(found.propertyId) ?? []
  return contents.length === 0 ? undefined : { ...found, contents, merged: mergeContent(contents) }
}
