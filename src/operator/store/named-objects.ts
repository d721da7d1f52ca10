import { IDS_AT_ONCE } from '../../store/batches.ts'
import type { Database } from '../../store/database.ts'

/** Names of objects for operators: an e-mail, a reference or a name. */
export function createNamedObjectStore(database: Database) {
  const db = database.read
  return {
    /** By id; ids that do not exist are missing. */
    async names(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
      // PostgreSQL rejects an empty list; no id is empty.
      const of = (prefix: string) => ['', ...ids.filter((id) => id.startsWith(prefix)).slice(0, IDS_AT_ONCE)]
      const [accounts, bookings, keys, properties] = await Promise.all([
        db.selectFrom('accounts').select(['id', 'email as name']).where('id', 'in', of('acc_')).execute(),
        db
          .selectFrom('bookings')
          .select(['booking_id as id', 'reference as name'])
          .where('booking_id', 'in', of('bkg_'))
          .execute(),
        db.selectFrom('api_keys').select(['id', 'name']).where('id', 'in', of('key_')).execute(),
        db
          .selectFrom('vendor_properties')
          .select(['property_id as id', 'name'])
          .where('property_id', 'in', of('prp_'))
          .execute(),
      ])
      return new Map([...accounts, ...bookings, ...keys, ...properties].map(({ id, name }) => [id, name]))
    },
  }
}
