import type { Notice } from '../../domain/offer.ts'
import { createNotice, joinNotices } from '../../domain/property/notices.ts'
import { plainLines, plainText } from '../../lib/text/clean-markup.ts'
import { mealNotice } from '../wire/meals.ts'
import { asRecord, asRecords, asText, type Wire } from '../wire/read.ts'
import { readBoard } from './board.ts'
import { tidyName } from './wire.ts'

/** Comments contain prices, age limits and the like: they are shown as sent, and never parsed. */
const commentNotice = (text: string) => createNotice('rate_comment', 'Rate comments', text)
const promotionNotice = (text: string) => createNotice('promotion', 'Promotions', text)

/** Notices of the rates of an offer or a booking; duplicates are merged. */
export const rateNotices = (rates: readonly Wire[]): Notice[] =>
  joinNotices(
    rates.map((rate) => mealNotice(readBoard(rate), [tidyName(asText(rate.boardName))])),
    rates.map((rate) => commentNotice(plainLines(asText(rate.rateComments)))),
    rates.map((rate) => promotionNotice(promotionLines(rate.promotions))),
  )

/** `256|24524|3`: office, contract and rate; the key of comments in the content. */
export const commentRefs = (rates: readonly Wire[]): string[] =>
  [...new Set(rates.map((rate) => asText(rate.rateCommentsId)))].filter((ref) => /^[\w|.-]{1,60}$/.test(ref))

/** One line per promotion: its name and the hotel's remark. */
const promotionLines = (promotions: unknown): string =>
  asRecords(promotions)
    .map(({ name, remark }) => [name, remark].map((part) => plainLines(asText(part))).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
    .map((parts) => parts.join(': '))
    .join('\n')

/** Notices of its rates, and the clause that every voucher must contain. */
export function bookingNotices(booking: Wire): Notice[] {
  const hotel = asRecord(booking.hotel)
  const rates = asRecords(hotel?.rooms).flatMap((room) => asRecords(room.rates))
  return joinNotices(rateNotices(rates), [voucherClause(asRecord(hotel?.supplier), asText(booking.reference))])
}

/** Wording prescribed by Hotelbeds. */
function voucherClause(supplier: Wire | undefined, reference: string): Notice | undefined {
  const [name, vat] = [plainText(asText(supplier?.name)), plainText(asText(supplier?.vatNumber))]
  if (name === '') return undefined
  const text =
    `Payable through ${name}, acting as agent for the service operating company, details of which can be provided upon ` +
    `request. VAT: ${vat} Reference: ${reference}`
  return createNotice('trader', 'Supplier', text, ['voucher'])
}
