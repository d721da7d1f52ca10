import type { Static } from 'typebox'
import { toMajor } from '../domain/money/money.ts'
import { momentOrNull } from '../http/present/moment.ts'
import { presentNotice } from '../search/present/property-detail.ts'
import type { PaymentReceipt } from './payment-receipt.ts'
import type { ReceiptSchema, VoucherSchema } from './schemas.ts'
import type { Voucher } from './voucher.ts'

export const presentVoucher = (voucher: Voucher): Static<typeof VoucherSchema> => ({
  booking_id: voucher.bookingId,
  vendor_id: voucher.vendorId,
  vendor_reference: voucher.vendorReference ?? null,
  property_reference: voucher.propertyNumber ?? null,
  reference: voucher.reference,
  client_reference: voucher.clientReference ?? null,
  property: {
    name: voucher.property.name,
    category: voucher.property.category ?? '',
    address: voucher.property.address,
    phone: voucher.property.phone,
    location: { ...voucher.property.location },
    timezone: voucher.property.timezone,
    check_in_time: voucher.property.checkInTime,
    check_out_time: voucher.property.checkOutTime,
  },
  room: { name: voucher.room.name, beds: [...voucher.room.beds], board: voucher.room.board },
  check_in: voucher.checkIn,
  check_out: voucher.checkOut,
  nights: voucher.nights,
  rooms: voucher.rooms.map(({ guest, adults, childrenAges, vendor, property }) => ({
    lead_guest: guest,
    adults,
    children_ages: [...childrenAges],
    confirmation: { vendor: vendor ?? null, property: property ?? null },
  })),
  special_requests: voucher.specialRequests,
  notices: voucher.notices.map(presentNotice),
  clause: voucher.clause ?? null,
  simulated: voucher.simulated,
})

export const presentReceipt = (receipt: PaymentReceipt): Static<typeof ReceiptSchema> => ({
  payment_id: receipt.paymentId,
  booking_id: receipt.bookingId,
  reference: receipt.reference,
  guest: receipt.guest,
  property: { ...receipt.property },
  room: receipt.room,
  check_in: receipt.checkIn,
  check_out: receipt.checkOut,
  nights: receipt.nights,
  total_price: toMajor(receipt.total),
  due_at_property: toMajor(receipt.dueAtProperty),
  total_currency: receipt.total.currency,
  charged: toMajor(receipt.charged),
  charged_at: momentOrNull(receipt.chargedAt),
  refunded: toMajor(receipt.refunded),
  refund_pending: toMajor(receipt.refundPending),
  currency: receipt.charged.currency,
  card: receipt.card === undefined ? null : { ...receipt.card },
  simulated: receipt.simulated,
})
