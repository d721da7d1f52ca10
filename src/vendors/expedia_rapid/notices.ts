import type { Notice } from '../../domain/offer.ts'
import { createNotice, joinNotices, MANDATORY_FEES } from '../../domain/property/notices.ts'
import { plainLines, plainText } from '../../lib/text/clean-markup.ts'
import { asEntries, asNumber, asRecord, asRecords, asText, type Wire } from '../wire/read.ts'

const lines = (value: unknown) => plainLines(asText(value))
const plain = (value: unknown) => plainText(asText(value))

/** Notices for every room of a property. */
export function propertyNotices(content: Wire): Notice[] {
  const [fees, checkIn] = [asRecord(content.fees), asRecord(content.checkin)]
  const age = asNumber(checkIn?.min_age) ?? 0
  return joinNotices([
    createNotice('fees', MANDATORY_FEES, lines(fees?.mandatory)),
    createNotice('fees', 'Optional fees', lines(fees?.optional)),
    createNotice('fees', 'Service fee', lines(fees?.traveler_service)),
    createNotice('check_in', 'Check-in instructions', lines(checkIn?.instructions)),
    createNotice('check_in', 'Special check-in instructions', lines(checkIn?.special_instructions)),
    createNotice('check_in', 'Minimum check-in age', age > 0 ? `${age}+` : ''),
    createNotice('policies', 'Know before you go', lines(asRecord(content.policies)?.know_before_you_go)),
    createNotice('policies', 'Payments at the property', onsitePayments(asRecord(content.onsite_payments))),
  ])
}

function onsitePayments(payments: Wire | undefined): string {
  const types = asEntries(payments?.types).map(([, type]) => plain(asRecord(type)?.name))
  const accepted = types.filter((name) => name !== '').join(', ')
  const currency = plain(payments?.currency)
  return accepted === '' || currency === '' ? accepted : `${accepted} (${currency})`
}

/** Notices of a rate in availability, price check or booking. */
export const rateNotices = (rate: Wire): Notice[] =>
  joinNotices([
    createNotice('promotion', 'Promotions', promotionLines(asRecord(rate.promotions))),
    createNotice('deposit', 'Deposits', asRecords(rate.deposits).flatMap(depositLine).join('\n')),
    createNotice('deposit', 'Card on file at the property, up to', formatAmount(asRecord(rate.card_on_file_limit))),
    createNotice('deposit', 'Refundable damage deposit', formatAmount(asRecord(rate.refundable_damage_deposit))),
  ])

function promotionLines(promotions: Wire | undefined): string {
  const given = [promotions?.deal, ...asEntries(promotions?.value_adds).map(([, value]) => value)]
  return given
    .map((value) => lines(asRecord(value)?.description))
    .filter((text) => text !== '')
    .join('\n')
}

/** Empty unless it is an amount with a currency code. */
function formatAmount(amount: Wire | undefined): string {
  const [value, currency] = [String(amount?.value ?? ''), asText(amount?.currency)]
  return /^\d+(\.\d+)?$/.test(value) && /^[A-Z]{3}$/.test(currency) ? `${value} ${currency}` : ''
}

function depositLine(deposit: Wire): string[] {
  const amount = formatAmount(deposit)
  if (amount === '') return []
  const due = plain(deposit.due)
  return [due === '' ? amount : `${amount}, due ${due}`]
}

/** Trader information required by European law, and terms and conditions. */
export function traderNotices(value: unknown): Notice[] {
  const information = asRecord(value)
  const traders = asRecords(information?.traders).map(traderLines)
  const terms = termsNotice(asText(information?.terms_and_conditions))
  return joinNotices([createNotice('trader', 'Trader', traders.filter((text) => text !== '').join('\n\n')), terms])
}

function traderLines(trader: Wire): string {
  const address = asRecord(trader.address)
  const place = [
    plain(address?.line_1),
    plain(address?.line_2),
    plain(address?.line_3),
    plain(address?.city),
    plain(address?.state_province_code),
    plain(address?.postal_code),
    plain(address?.country_code),
  ].filter((part) => part !== '')
  return [
    plain(trader.name),
    place.join(', '),
    [plain(trader.business_register_name), plain(trader.business_register_number)].join(' ').trim(),
    plain(trader.email),
    plain(trader.phone),
    trader.self_certification === true
      ? 'Has declared to offer only what complies with the law of the European Union.'
      : '',
    lines(trader.contact_message),
    lines(trader.right_to_withdraw_message),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** Text that must be shown beside "Taxes and fees". */
export const taxesNotice = (text: string): Notice | undefined =>
  createNotice('fees', 'Taxes and fees', text, ['detail', 'checkout'])

/** Link that must be shown beside the book button, in this wording. */
export function termsNotice(url: string): Notice | undefined {
  if (!/^https:\/\/[^\s"'<>]{1,1000}$/.test(url) || !URL.canParse(url)) return undefined
  const title = 'Supplier Terms & Conditions'
  return { kind: 'vendor_terms', title, text: title, url, requiredAt: ['checkout'] }
}
