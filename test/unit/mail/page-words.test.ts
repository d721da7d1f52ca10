import format from 'icu-minify/format'
import { describe, expect, test } from 'vitest'
import { NOTICE_TITLES } from '../../../src/domain/property/vocabulary.ts'
import { type Language, WORDS } from '../../../src/mail/mail-texts.ts'
import { translateNoticeTitle } from '../../../src/mail/notice-titles.ts'
import { de } from '../../../web/src/i18n/de.ts'
import { en, type MessageKey, type Messages } from '../../../web/src/i18n/en.ts'

const PAGE: Readonly<Record<Language, Messages>> = { en, de }

describe.each(['en', 'de'] as const)('in %s, mails use the words of the page', (language) => {
  const words = WORDS[language]
  const { labels } = words
  const formatters = { getNumberFormat: () => new Intl.NumberFormat(words.locale) }
  const showOnPage = (key: MessageKey, values = {}) =>
    format(PAGE[language][key], words.locale, values, formatters as never) as string

  test('for the numbers of a booking', () => {
    expect(labels.reference).toBe(showOnPage('our_reference'))
    expect(labels.hotelNumber).toBe(showOnPage('property_number'))
    expect(`${labels.vendorNumber} (Rapid)`).toBe(showOnPage('hotel_reference', { vendor: 'Rapid' }))
  })

  test('for the parts of a booking', () => {
    const parts = {
      hotel: 'booking_property',
      checkIn: 'check_in',
      checkOut: 'check_out',
      guests: 'booking_guests',
      cancellation: 'cancellation',
      refund: 'cancel_refund',
      phone: 'phone',
    } as const
    for (const [label, key] of Object.entries(parts))
      expect(labels[label as keyof typeof parts], label).toBe(showOnPage(key))
  })

  test('for meals', () => {
    for (const [board, name] of Object.entries(words.boards))
      expect(name, board).toBe(showOnPage(`board_${board}` as MessageKey))
  })

  test('for the status of a booking', () => {
    const statuses = {
      confirmed: 'status_confirmed',
      cancelled: 'status_cancelled',
      not_booked: 'status_rejected',
      needs_attention: 'status_needs_review',
    } as const
    for (const [kind, key] of Object.entries(statuses))
      expect(words.openings[kind as keyof typeof statuses].subject('Hotel', 'today'), kind).toBe(
        `${showOnPage(key)}: Hotel, today`,
      )
  })

  test('for amounts, terms and cards', () => {
    expect(words.dueAtProperty('EUR 20.00')).toContain(showOnPage('pay_at_property', { price: 'EUR 20.00' }))
    expect(words.cancel.none).toBe(showOnPage('not_refundable'))
    expect(words.refund('a', 'b').toLowerCase()).toContain(showOnPage('cancel_penalty').toLowerCase())
    expect(words.byCard('EUR 20.00', 'Visa', '4242')).toBe(
      `EUR 20.00, ${showOnPage('card_name', { brand: 'Visa', last4: '4242' })}`,
    )
    const start = showOnPage('price_text_fees').split(',')[0] ?? ''
    expect(words.feesInText('Fees').toLowerCase()).toContain(start.toLowerCase())
  })
})

test('in German, the titles of notices are those of the page; unknown ones stay', () => {
  for (const code of NOTICE_TITLES.codes)
    expect(translateNoticeTitle(code.replaceAll('_', ' '), 'de'), code).toBe(de[`notice_${code}` as MessageKey])
  expect(translateNoticeTitle('Beach towels', 'de')).toBe('Beach towels')
  expect(translateNoticeTitle('Mandatory fees', 'en')).toBe('Mandatory fees')
})
