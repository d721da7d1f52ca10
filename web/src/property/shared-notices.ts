import type { Room } from '../api/shapes.ts'

type Notice = Room['notices'][number]
export type VendorNotices = { readonly vendorId: string; readonly notices: readonly Notice[] }

const isForDetail = ({ kind, required_at }: Notice) => kind !== 'vendor_terms' && required_at.includes('detail')

/** Notices that all offers of a vendor have in common concern the property; they are shown once. */
export function findSharedNotices(rooms: readonly Room[]): VendorNotices[] {
  const byVendor = Map.groupBy(rooms, ({ vendor_id }) => vendor_id)
  return [...byVendor].flatMap(([vendorId, [first, ...others]]) => {
    const notices = (first?.notices ?? []).filter(
      (notice) => isForDetail(notice) && others.every((room) => room.notices.some(({ text }) => text === notice.text)),
    )
    return notices.length === 0 ? [] : [{ vendorId, notices }]
  })
}

/** Notices of one rate that are not shared. */
export function findOwnNotices(room: Room, shared: readonly VendorNotices[]): Notice[] {
  const known = new Set(shared.find(({ vendorId }) => vendorId === room.vendor_id)?.notices.map(({ text }) => text))
  return room.notices.filter((notice) => isForDetail(notice) && !known.has(notice.text))
}
