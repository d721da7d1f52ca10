import { describe, expect, test } from 'vitest'
import type { Booking, BookingEvent } from '../../../src/domain/booking/booking.ts'
import type { Discrepancy } from '../../../src/domain/booking/discrepancy.ts'
import { MAIL_KINDS, type MailContent, type MailKind, mailKindForEvent } from '../../../src/domain/mail.ts'
import type { Board } from '../../../src/domain/offer.ts'
import { type Mail, writeMail } from '../../../src/mail/write-mail.ts'
import { writeOperatorNote } from '../../../src/mail/write-operator-note.ts'
import { aBooking, aPrice, euro, START } from '../../support/booking/an-offer.ts'

const LINK = 'https://serai.example/bookings/bkg_1#srl_token'
const voucher = { filename: 'voucher.pdf', contentType: 'application/pdf', content: Buffer.from('%PDF') }
const deps = { domain: 'mail.example', isSandbox: false, createVoucher: async () => voucher, linkTo: async () => LINK }

const german = { currency: 'EUR', language: 'de-DE', countryCode: 'DE' }

function createContent(
  kind: MailKind,
  more: Partial<Booking> = {},
  from: BookingEvent['from'] = 'submitting',
): MailContent {
  const booking = aBooking({ vendorReference: 'V-1', ...more })
  return { kind, booking, event: { sequence: 3, from, at: START } }
}

const write = (kind: MailKind, more: Partial<Booking> = {}, from: BookingEvent['from'] = 'submitting'): Promise<Mail> =>
  writeMail(createContent(kind, more, from), deps)

const findFile = ({ attachments }: Mail, name: string) => attachments.find(({ filename }) => filename === name)
const parseReservation = ({ html }: Mail) => {
  const json = /<script type="application\/ld\+json">(.*)<\/script>/.exec(html)?.[1]
  return json === undefined ? undefined : JSON.parse(json)
}

describe('the kind of mail for an event', () => {
  const chooseKind = (from: BookingEvent['from'], to: BookingEvent['to'], reason?: string) =>
    mailKindForEvent({ from, to, reason })

  test('confirmed, cancelled and needs_review cause a mail from any state', () => {
    expect(chooseKind('submitting', 'confirmed')).toBe('confirmed')
    expect(chooseKind('in_doubt', 'confirmed')).toBe('confirmed')
    expect(chooseKind('needs_review', 'confirmed')).toBe('confirmed')
    expect(chooseKind('cancelling', 'cancelled')).toBe('cancelled')
    expect(chooseKind('needs_review', 'cancelled')).toBe('cancelled')
    expect(chooseKind('cancelling', 'needs_review')).toBe('needs_attention')
  })

  test('no mail is sent while the outcome is open or if the client got it at once', () => {
    for (const to of ['pending', 'submitting', 'in_doubt', 'cancelling'] as const)
      expect(chooseKind(undefined, to)).toBe(undefined)
    expect(chooseKind('submitting', 'rejected')).toBe(undefined)
    expect(chooseKind('cancelling', 'confirmed', 'not_cancellable')).toBe(undefined)
  })

  test('an open outcome that ended without a booking or cancellation causes a mail', () => {
    expect(chooseKind('in_doubt', 'rejected')).toBe('not_booked')
    expect(chooseKind('cancelling', 'confirmed', 'still_confirmed')).toBe('still_confirmed')
  })

  test('of the events without a change of state, only confirmation numbers and discrepancies for the guest cause a mail', () => {
    const event = { from: 'confirmed', to: 'confirmed', reason: undefined } as const
    expect(mailKindForEvent({ ...event, kind: 'confirmation_number' })).toBe('confirmation_number')
    expect(mailKindForEvent({ ...event, kind: 'amended' })).toBe(undefined)
    const differs = (reason: string) => mailKindForEvent({ ...event, kind: 'discrepancy', reason })
    expect(differs('terms_differ')).toBe('changed')
    expect(differs('guests_differ')).toBe('changed')
    expect(differs('price_differs'), 'between seller and vendor').toBe(undefined)
  })

  test('a discrepancy that caused a review causes no mail of its own', () => {
    const event = { from: 'needs_review', to: 'needs_review', kind: 'discrepancy' } as const
    for (const reason of ['property_differs', 'terms_differ'])
      expect(mailKindForEvent({ ...event, reason })).toBe(undefined)
  })
})

describe('mails about discrepancies', () => {
  const since = START
  const writeDiscrepancyMail = (discrepancy: Discrepancy, more: Partial<Booking> = {}) => {
    const content = createContent('changed', { discrepancies: [discrepancy], ...more }, 'confirmed')
    return writeMail({ ...content, event: { ...content.event, reason: discrepancy.code } }, deps)
  }
  const board = (value: Board) => ({ what: 'board', board: value }) as const
  const fee = (minor: number) =>
    ({ what: 'cancellation_fee', from: Date.parse('2027-02-20T12:00:00Z'), fee: euro(minor) }) as const

  test('the guest’s mail names the booked and the reported value in their language, without a voucher', async () => {
    const less = { code: 'terms_differ', since, booked: board('breakfast'), vendorSays: board('room_only') } as const
    const mail = await writeDiscrepancyMail(less)
    expect(mail.text).toContain('board: booked “Breakfast included”, reported “Room only”')
    expect(mail.text).toContain('Your booking applies as confirmed')
    expect(mail.attachments).toEqual([])
    expect((await writeDiscrepancyMail(less, { market: german })).text).toContain(
      'gebucht „Mit Frühstück“, gemeldet „Nur Übernachtung“',
    )
    const dearer = await writeDiscrepancyMail({ code: 'terms_differ', since, booked: fee(0), vendorSays: fee(9_900) })
    expect(dearer.text).toContain(
      '20 February 2027, 13:00 (local time at the hotel): agreed EUR 0.00, reported EUR 99.00',
    )
    const named = await writeDiscrepancyMail({
      code: 'guests_differ',
      since,
      booked: 'as_named',
      vendorSays: { rooms: [2] },
    })
    expect(named.text).toContain('a different guest name is reported for room 2')
  })

  test('the operator’s mail has the values and commands on one line each, and no guest name', () => {
    const found = { code: 'price_differs', since, booked: euro(100), vendorSays: euro(200) } as const
    const booking = aBooking({ discrepancies: [found], property: { ...aBooking().property, name: 'A\r\nBcc: x@y.z' } })
    const event = { sequence: -4, from: 'confirmed', at: START, reason: 'price_differs' } as const
    const mail = writeOperatorNote({ kind: 'operator_note', booking, event }, 'ops@example.com', 'mail.example')
    expect(mail.to).toBe('ops@example.com')
    expect(mail.text).toContain('price_differs: booked 1.00 EUR, the vendor says 2.00 EUR')
    expect(mail.text).toContain(`serai api operator.bookings.read --booking_id ${booking.bookingId}`)
    expect(mail.text).not.toMatch(/^Bcc|Lovelace/m)
    expect(mail.subject).toBe(`price_differs: ${booking.bookingId}, check-in 2027-03-01`)
  })

  test('a partial cancellation lists the status of each room', async () => {
    const mail = await write('needs_attention', { rooms: ['cancelled', 'confirmed'] }, 'cancelling')
    expect(mail.text).toContain('Some rooms are cancelled and others are not')
    expect(mail.text.replace(/\n */g, ' ')).toContain('room 1: cancelled room 2: confirmed')
  })
})

describe('contents of a mail', () => {
  test('a confirmation describes the booking as text and as HTML', async () => {
    const stay = {
      checkIn: '2027-03-01',
      checkOut: '2027-03-03',
      occupancies: [
        { adults: 2, childrenAges: [9, 4] },
        { adults: 1, childrenAges: [] },
      ],
    }
    const confirmation = { vendor: 'V-1', property: 'H-77', rooms: [] }
    const mail = await write('confirmed', { stay, confirmation })
    expect(mail.subject).toBe('Confirmed: Hotel Testa, 1 Mar 2027 – 3 Mar 2027')
    for (const text of [
      'Your booking is confirmed.',
      'V-1',
      'H-77',
      '1 Via Prova, Roma, Italy',
      'Monday, 1 March 2027, from 15:00',
      '2 × Double',
      'Ada Lovelace: 2 adults, 2 children (age 9, 4)',
      'EUR 249.90',
      'free of charge until Friday, 26 February 2027, 23:59 (local time at the hotel)',
      'from Friday, 26 February 2027, 23:59 (local time at the hotel): you pay EUR 124.95 and get EUR 124.95 back',
    ]) {
      expect(mail.text.replace(/\n */g, ' ')).toContain(text)
      expect(mail.html).toContain(text)
    }
  })

  test('a mail is in German if the search was', async () => {
    const mail = await write('confirmed', { market: german })
    expect(mail.language).toBe('de')
    expect(mail.subject).toBe('Bestätigt: Hotel Testa, 01.03.2027 – 03.03.2027')
    expect(mail.text).toContain('Gesamtpreis: 249,90 EUR')
    expect(mail.text).toContain('1 Via Prova, Roma, Italien')
    expect(mail.text).toContain('kostenlos bis Freitag, 26. Februar 2027, 23:59')
    expect(mail.html).toContain('<html lang="de">')
  })

  test.each([
    ['HUF', 'HUF 45,678.40'],
    ['IQD', 'IQD 4,567.840'],
    ['JPY', 'JPY 4,567,840'],
  ])('amounts in %s have all of its decimals', async (currency, total) => {
    const { price } = aBooking()
    const paid = { total: { minor: 4_567_840, currency }, dueAtProperty: { minor: 0, currency } }
    const mail = await write('confirmed', { price: { ...price, ...paid } })
    expect(mail.text).toContain(`Total price: ${total}`)
  })

  test.each(MAIL_KINDS)('a mail of kind %s exists in both languages', async (kind) => {
    const [en, de] = await Promise.all([write(kind), write(kind, { market: german })])
    expect(en.subject).not.toBe(de.subject)
    expect(en.text.split('\n')[0]).not.toBe(de.text.split('\n')[0])
    expect(`${en.subject}${de.subject}${en.text}${de.text}`).not.toMatch(/undefined|NaN|\[object/)
  })

  test('a mail has every notice in its original words', async () => {
    const notices = [
      {
        kind: 'rate_comment',
        title: 'Rate comments',
        text: 'City tax 8.00 EUR\npaid <at> the hotel',
        requiredAt: ['voucher'],
      },
      {
        kind: 'vendor_terms',
        title: 'Terms',
        text: 'Terms',
        url: 'https://terms.example/?a=1&b=2',
        requiredAt: ['detail'],
      },
    ] as const
    const mail = await write('confirmed', { notices })
    expect(mail.text).toContain('Rate comments\nCity tax 8.00 EUR\npaid <at> the hotel')
    expect(mail.html).toContain('City tax 8.00 EUR<br>paid &lt;at&gt; the hotel')
    expect(mail.html).toContain('href="https://terms.example/?a=1&amp;b=2"')
  })

  test('fees in words stand beside the total, whether or not it has fees payable at the property, in both languages', async () => {
    const notices = [{ kind: 'fees', title: 'Mandatory fees', text: 'Linen: EUR 8', requiredAt: ['detail'] }] as const
    const partly = { ...aPrice(), dueAtProperty: euro(2_000) }
    const total = async (more: Partial<Booking>) => {
      const { text } = await write('confirmed', more)
      return /(?:Total price|Gesamtpreis): .*\n.*/.exec(text)?.[0]
    }
    expect(await total({ notices })).toBe(
      'Total price: EUR 249.90\n  plus fees at the property, see “Mandatory fees” below',
    )
    expect(await total({ notices, price: partly })).toBe(
      'Total price: EUR 249.90, including EUR 20.00 payable at the property\n  other fees at the property are possible, see “Mandatory fees” below',
    )
    expect(await total({ notices, market: german })).toContain(
      'zuzüglich Gebühren in der Unterkunft, siehe unten „Pflichtgebühren“',
    )
    expect((await write('confirmed')).text).not.toContain('plus fees')
    expect((await write('cancelled', { notices })).text, 'a mail without the notices').not.toContain('plus fees')
  })

  test('a cancellation fee that takes everything says that nothing is paid back', async () => {
    const begins = (amount: number, from: string) => ({ from, amount: euro(amount) })
    const penalties = [begins(12_495, '2027-02-01T00:00:00Z'), begins(24_990, '2027-02-20T00:00:00Z')]
    const { text } = await write('confirmed', { cancel: { refundable: true, penalties }, market: german })
    expect(text).toContain('Sie zahlen 124,95 EUR und erhalten 124,95 EUR zurück')
    expect(text).toContain('Sie zahlen 249,90 EUR, keine Erstattung')
  })

  test('a cancellation has the refund of the API, without the fee and amounts never paid', async () => {
    const price = { ...aBooking().price, dueAtProperty: euro(2_000) }
    const mail = await write('cancelled', { price, cancelFee: euro(12_495) }, 'cancelling')
    expect(mail.text).toContain('Refund: EUR 104.95 (cancellation fee: EUR 124.95)')
    expect(mail.text).not.toContain('free of charge')
  })

  test('a cancellation states no refund that is not known', async () => {
    const inReview = createContent('cancelled', { cancelFee: euro(100) }, 'needs_review')
    const byVendor = { ...inReview, event: { ...inReview.event, reason: 'cancelled_by_vendor' } }
    for (const mail of [
      await writeMail(byVendor, deps),
      await write('cancelled', {}, 'needs_review'),
      await write('cancelled', { cancelFee: euro(100) }, 'confirmed'),
    ]) {
      expect(mail.text).toContain('Refund: We will inform you about the refund separately.')
      expect(mail.text).not.toMatch(/fee: EUR/)
    }
  })

  test.each(['needs_attention', 'not_booked'] as const)('a %s mail never looks like a confirmation', async (kind) => {
    for (const market of [aBooking().market, german]) {
      const mail = await write(
        kind,
        { market, confirmation: { vendor: 'V-1', property: 'H-77', rooms: [] } },
        'in_doubt',
      )
      expect(`${mail.subject} ${mail.text} ${mail.html}`).not.toMatch(
        /confirmed|bestätigt|V-1|H-77|ReservationConfirmed/i,
      )
      expect(mail.attachments).toEqual([])
    }
  })

  test('a mail calls a cancellation free only if the vendor does', async () => {
    expect((await write('confirmed', { cancel: undefined })).text).toContain('Cancellation: no terms were given')
    const none = await write('confirmed', { cancel: { refundable: false, penalties: [] } })
    expect(none.text).toContain('Cancellation: Not refundable')
    const begun = { refundable: true, penalties: [{ from: '2027-01-01T00:00:00Z', amount: euro(100) }] }
    expect((await write('confirmed', { cancel: begun })).text).not.toContain('free of charge')
  })

  test('a mail calls a booking non-refundable if the fee takes everything already paid, as the API does', async () => {
    const price = { ...aPrice(), dueAtProperty: euro(2_000) }
    const { total } = price
    for (const amount of [total, euro(total.minor - 2_000)]) {
      const mail = await write('confirmed', {
        price,
        cancel: { refundable: false, penalties: [{ from: '2027-01-01T00:00:00Z', amount }] },
      })
      expect(mail.text).toContain('Cancellation: Not refundable')
    }
  })

  test('a mail about a simulated booking says so first and has no machine-readable reservation', async () => {
    const sandboxed = writeMail(createContent('confirmed'), { ...deps, isSandbox: true })
    for (const mail of [await write('confirmed', { simulated: true }), await sandboxed]) {
      expect(mail.subject).toMatch(/^\[Simulated\] /)
      expect(mail.text).toMatch(/^This is a simulation: no hotel was contacted/)
      expect(parseReservation(mail)).toBe(undefined)
    }
  })

  test('every mail has the link to its booking, as text and as HTML, in both languages, until the link would have expired', async () => {
    for (const kind of MAIL_KINDS)
      for (const [market, label] of [
        [{ ...german, language: 'en' }, 'View or cancel your booking'],
        [german, 'Buchung ansehen oder stornieren'],
      ] as const) {
        const mail = await write(kind, { market })
        expect(mail.text).toContain(`${label}:\n${LINK}\n`)
        expect(mail.html).toContain(`<a href="${LINK}" style="font-weight:600">${label}</a>`)
      }
    const late = await writeMail(createContent('cancelled'), { ...deps, linkTo: async () => undefined })
    expect(late.text + late.html).not.toMatch(/View or cancel|undefined/)
  })

  test('a mail has one message id per event and is always written the same', async () => {
    const [first, again] = [await write('confirmed'), await write('confirmed')]
    expect(first).toEqual(again)
    expect(first.messageId).toBe('<evt_1_3@mail.example>')
    const later = await writeMail(
      { ...createContent('confirmed'), event: { sequence: 4, from: 'submitting', at: START } },
      deps,
    )
    expect(later.messageId).toBe('<evt_1_4@mail.example>')
  })
})

describe('machine-readable parts of a mail', () => {
  test('a mail has a LodgingReservation with its status', async () => {
    expect(parseReservation(await write('confirmed'))).toMatchObject({
      '@type': 'LodgingReservation',
      reservationNumber: 'V-1',
      reservationStatus: 'https://schema.org/ReservationConfirmed',
      underName: { '@type': 'Person', name: 'Ada Lovelace' },
      reservationFor: { '@type': 'LodgingBusiness', name: 'Hotel Testa', telephone: '+39 06 1234' },
      checkinTime: '2027-03-01T15:00:00+01:00',
      checkoutTime: '2027-03-03T11:00:00+01:00',
      numAdults: 2,
      totalPrice: '249.90',
      priceCurrency: 'EUR',
    })
    expect(parseReservation(await write('cancelled')).reservationStatus).toBe('https://schema.org/ReservationCancelled')
    expect(parseReservation(await write('needs_attention')).reservationStatus).toBe(
      'https://schema.org/ReservationPending',
    )
    expect(parseReservation(await write('not_booked'))).toBe(undefined)
  })

  test('a cancellation withdraws the calendar entry by the same UID', async () => {
    const text = (mail: Mail) => String(findFile(mail, 'booking.ics')?.content).replaceAll('\r\n ', '')
    const created = text(await write('confirmed'))
    expect(created).toContain('UID:bkg_1@mail.example\r\n')
    expect(created).toContain('DTSTART:20270301T140000Z\r\nDTEND:20270303T100000Z\r\n')
    expect(created).toContain('METHOD:PUBLISH\r\n')
    const gone = text(await write('cancelled'))
    expect(gone).toContain('UID:bkg_1@mail.example\r\n')
    expect(gone).toContain('METHOD:CANCEL\r\n')
    expect(gone).toContain('STATUS:CANCELLED\r\n')
  })

  test('a property without check-in times gets a calendar entry of whole days', async () => {
    const property = { ...aBooking().property, checkInTime: 'noon', checkOutTime: '' }
    const mail = await write('confirmed', { property })
    expect(String(findFile(mail, 'booking.ics')?.content)).toContain(
      'DTSTART;VALUE=DATE:20270301\r\nDTEND;VALUE=DATE:20270303\r\n',
    )
    expect(parseReservation(mail).checkinTime).toBe('2027-03-01')
    expect(mail.text).toContain('Check-in: Monday, 1 March 2027\n')
  })

  test('a property with only one time gets a calendar entry of whole days, since entries cannot mix both', async () => {
    const property = { ...aBooking().property, checkInTime: '15:00', checkOutTime: '' }
    const mail = await write('confirmed', { property })
    expect(String(findFile(mail, 'booking.ics')?.content)).toContain(
      'DTSTART;VALUE=DATE:20270301\r\nDTEND;VALUE=DATE:20270303\r\n',
    )
    expect(mail.text).toContain('Check-in: Monday, 1 March 2027, from 15:00\n')
  })

  test('only mails about a valid stay have a voucher', async () => {
    for (const kind of MAIL_KINDS) {
      const has = findFile(await write(kind), 'voucher.pdf') !== undefined
      expect([kind, has]).toEqual([kind, ['confirmed', 'confirmation_number', 'still_confirmed'].includes(kind)])
    }
  })
})

describe('names in mails', () => {
  const named = (name: string, familyName = 'X') => {
    const booking = aBooking()
    const guests = [{ givenName: name, familyName, email: '', phone: '' }]
    return { property: { ...booking.property, name }, persons: { ...booking.persons, guests } }
  }

  test('line breaks, markup and script ends in names remain text', async () => {
    const evil = 'A\r\nBcc: all@example.com\r\n\r\n</script><script>alert(1)</script>"\'&\u202e'
    const mail = await write('confirmed', named(evil))
    expect(mail.subject).not.toMatch(/[\r\n\u202e]/)
    expect(mail.html).not.toMatch(/<script>|\u202e/)
    expect(mail.html.match(/<\/script>/g)).toHaveLength(1)
    expect(parseReservation(mail).reservationFor.name).toBe(
      'A Bcc: all@example.com </script><script>alert(1)</script>"\'&',
    )
    expect(mail.text.split('\n').filter((line) => line.startsWith('Bcc'))).toEqual([])
    const ics = String(findFile(mail, 'booking.ics')?.content)
    expect(
      ics
        .replaceAll('\r\n ', '')
        .split('\r\n')
        .filter((line) => /^(Bcc|<)/.test(line)),
    ).toEqual([])
  })

  test.each(['山田太郎', 'Ольга Ильинична', 'نام\u200cخانوادگی', 'Nguyễn Thị Ánh', '👩‍👩‍👧 Family'])(
    'the name %s arrives unchanged',
    async (name) => {
      const mail = await write('confirmed', named(name))
      expect(mail.text).toContain(`${name} X:`)
      expect(mail.subject).toContain(name)
    },
  )

  test('an overlong name is truncated only in the subject, and calendar lines have at most 75 bytes', async () => {
    const long = `${'Hôtel 旅館 '.repeat(60)}end`
    const mail = await write('confirmed', named(long))
    expect(mail.subject.length).toBeLessThan(200)
    expect(mail.text).toContain(long)
    const lines = String(findFile(mail, 'booking.ics')?.content).split('\r\n')
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    expect(lines.join('\r\n').replaceAll('\r\n ', '')).toContain(`SUMMARY:${long}`)
  })
})
