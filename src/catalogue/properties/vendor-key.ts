import type { VendorRef } from '../store/catalogue.ts'

export const vendorKey = (vendorId: string, vendorPropertyId: string): string => `${vendorId}:${vendorPropertyId}`

export const refKey = (ref: VendorRef): string => vendorKey(ref.vendorId, ref.vendorPropertyId)

type Row = { readonly vendor_id: string; readonly vendor_property_id: string }
export const rowKey = (row: Row): string => vendorKey(row.vendor_id, row.vendor_property_id)
