import type { PropertySummary } from '../../domain/property/property-summary.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import { upsert } from '../../store/upsert.ts'
import { legacySummaryRow } from './legacy-summary.ts'

export type NewSummary = {
  readonly summary: PropertySummary
  /** The `seq` of the property when the content of the summary was read or written. */
  readonly seq: number
}

export type StoredSummary = {
  readonly propertyId: string
  /** The property's `seq` now. */
  readonly seq: number
  readonly summary: PropertySummary | undefined
  /** False where the property was written by a process that does not know the table of summaries. */
  readonly isCurrent: boolean
}

export async function readSummaries(db: ReadOnly, propertyIds: readonly string[]): Promise<StoredSummary[]> {
  const rows = await db
    .selectFrom('properties')
    .leftJoin('summaries', 'summaries.property_id', 'properties.property_id')
    .select(['properties.property_id', 'properties.seq', 'summaries.seq as writtenAt', 'summaries.fields'])
    .where('properties.property_id', 'in', propertyIds)
    .execute()
  return rows.map(({ property_id: propertyId, seq, writtenAt, fields }) => ({
    propertyId,
    seq,
    summary: fields === null ? undefined : { propertyId, ...JSON.parse(fields) },
    isCurrent: writtenAt === seq,
  }))
}

/** Never replaces a newer summary by an older one: a process that rebuilds one may be late. */
export async function putSummaries(tx: Tx, summaries: readonly NewSummary[]): Promise<void> {
  const rows = summaries.map(({ seq, summary: { propertyId, ...fields } }) => ({
    property_id: propertyId,
    seq,
    fields: JSON.stringify(fields),
  }))
  await upsert(tx, 'summaries', ['property_id'], rows, 'summaries.seq <= excluded.seq')
  const legacyRows = summaries.map(({ summary }) => legacySummaryRow(summary))
  await upsert(tx, 'property_summaries', ['property_id'], legacyRows)
}
