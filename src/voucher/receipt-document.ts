import { type Money, toDecimal } from '../domain/money/money.ts'
import { nameCardBrand } from '../domain/payment/name-card-brand.ts'
import { writeOutCountry } from '../lib/text/write-out-country.ts'
import type { PaymentReceipt } from './payment-receipt.ts'
import { type DocumentSection, known, type PrintedDocument, SELLER } from './printed-document.ts'

/** The receipt, without unknown values. */
export const receiptDocument = (receipt: PaymentReceipt): PrintedDocument => ({
  title: `Receipt ${receipt.reference}`,
  heading: 'Receipt',
  isSimulated: receipt.simulated,
  sections: [payment(receipt), stay(receipt), amounts(receipt)],
  updatedAt: receipt.updatedAt,
})

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const formatDay = (day: string) => DAY.format(Date.parse(`${day}T00:00:00Z`))
const formatMoney = (money: Money) => `${money.currency} ${toDecimal(money)}`
const ifAny = (money: Money) => (money.minor === 0 ? undefined : formatMoney(money))

const payment = ({ paymentId, reference, guest, card, chargedAt }: PaymentReceipt): DocumentSection => ({
  title: 'Payment',
  facts: known([
    ['Receipt number', paymentId],
    ['Booking reference', reference],
    ['Seller', SELLER],
    ['Guest', guest],
    ['Charged on', chargedAt === undefined ? undefined : DAY.format(chargedAt)],
    ['Paid with', card === undefined ? undefined : `${nameCardBrand(card.brand)} card ending in ${card.last4}`],
  ]),
})

const stay = ({ property, room, checkIn, checkOut, nights }: PaymentReceipt): DocumentSection => ({
  title: 'Stay',
  facts: known([
    ['Property', property.name],
    ['Address', writeOutCountry(property.address, 'en')],
    ['Room', room],
    ['Check-in', formatDay(checkIn)],
    ['Check-out', formatDay(checkOut)],
    ['Nights', String(nights)],
  ]),
})

function amounts({ total, dueAtProperty, charged, refunded, refundPending }: PaymentReceipt): DocumentSection {
  const kept: Money = { ...charged, minor: charged.minor - refunded.minor - refundPending.minor }
  return {
    title: 'Amounts',
    facts: known([
      ['Price of the stay', formatMoney(total)],
      ['Payable at the property', ifAny(dueAtProperty)],
      ['Charged to the card', formatMoney(charged)],
      ['Refunded to the card', ifAny(refunded)],
      ['Refund on its way', ifAny(refundPending)],
      ['Paid in the end', kept.minor === charged.minor ? undefined : formatMoney(kept)],
    ]),
  }
}
