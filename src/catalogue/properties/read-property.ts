import type { VendorProperty } from '../../domain/property/property.ts'
import type { PropertyEntry } from '../index/geo-index.ts'
import type { CatalogueReader } from '../store/catalogue.ts'
import { mergeContent } from './merge-content.ts'
import { decodeRefs, encodeRefs, readContents } from './stored-content.ts'

export type PropertyContent = PropertyEntry & {
  /** Each field from the vendor that has the most to say; see mergeContent. Its rooms are one vendor's only. */
  readonly merged: VendorProperty
  /** What each vendor says, rooms included, in the order of `vendors`. */
  readonly contents: readonly VendorProperty[]
}

/** A chain of joins is short; the bound is for a database that somebody has edited. */
const JOINS_MAX = 10

/** Under the id it has now, which for a joined property is not the one asked for. */
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

/** The id that each of these properties has now, by the id asked for. */
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
