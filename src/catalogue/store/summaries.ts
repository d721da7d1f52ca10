import type { PropertySummary } from '../../domain/property/property-summary.ts'
import type { ReadOnly, Tx } from '../../store/database.ts'
import { upsert } from '../../store/upsert.ts'

export async function readSummaries(db: ReadOnly, propertyIds: readonly string[]): Promise<PropertySummary[]> {
  const rows = await db.selectFrom('summaries').selectAll().where('property_id', 'in', propertyIds).execute()
  return rows.map(({ property_id: propertyId, fields }) => ({ propertyId, ...JSON.parse(fields) }))
}

export const putSummaries = (tx: Tx, summaries: readonly PropertySummary[]): Promise<void> =>
  upsert(
    tx,
    'summaries',
    ['property_id'],
    summaries.map(({ propertyId, ...fields }) => ({ property_id: propertyId, fields: JSON.stringify(fields) })),
  )
