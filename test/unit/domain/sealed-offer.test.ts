import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openOffer, type SealedOffer, sealOffer } from '../../../src/domain/sealed-offer.ts'
import { openJson, sealJson } from '../../../src/lib/crypto/seal.ts'
import { anOffer, offerKeys, sealBookingInfo } from '../../support/booking/an-offer.ts'
import { openBookingParts } from '../../support/booking/booking-parts.ts'

test('an offer opens unchanged, whatever the vendor put into it', () => {
  const texts = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }), { maxKeys: 5 })
  const offers = fc.record({ ref: texts, roomName: fc.string({ unit: 'grapheme' }), expiresAt: fc.nat() })
  fc.assert(
    fc.property(offers, texts, (more, shown) => {
      const { price_check_uri: _, ...visible } = shown
      const offer: SealedOffer = anOffer({ ...more, visible })
      expect(openOffer(offerKeys, sealBookingInfo(offer))).toEqual(offer)
    }),
    { numRuns: 300 },
  )
})

test('an offer sealed without notices, addresses and checks can still be checked and booked', async () => {
  const { customerIp: _ip, checkedAt: _at, notices: _notices, ...old } = anOffer()
  const info = sealOffer(offerKeys, old)
  const parts = await openBookingParts()
  expect((await parts.checkPrice(info)).status).toBe('matched')
  expect((await parts.bookStay(info)).status).toBe(201)
  await parts.close()
})

test('an offer of the earlier version, which contains its notices, keeps them when it is booked', async () => {
  const notices = [{ kind: 'fees', title: 'Fees', text: 'Paid at the property.', requiredAt: ['voucher'] }]
  const token = sealJson(offerKeys, 'sof1', { ...anOffer(), notices }, { pack: true })
  const parts = await openBookingParts()
  const { status, body } = await parts.bookStay({
    ...anOffer().visible,
    price_check_uri: `/api/accommodation/price_check?token=${token}`,
  })
  expect(status).toBe(201)
  expect(JSON.parse(body).data.notices).toMatchObject([{ kind: 'fees', text: 'Paid at the property.' }])
  await parts.close()
})

test('the length of a price_check_uri does not depend on its notices, whose texts are restored in full', async () => {
  const parts = await openBookingParts()
  const words = Array.from({ length: 10 }, (_, seed) =>
    Array.from({ length: 900 }, (_, n) => ((n + 1) * (seed + 7919)).toString(36)).join(' '),
  )
  const notices = words.map((text, index) => {
    return { kind: 'policies', title: `Policy ${index}`, text, requiredAt: ['detail'] } as const
  })
  await parts.notices.keep(notices)
  const info = sealOffer(offerKeys, anOffer({ notices }))
  const short = sealOffer(offerKeys, anOffer({ notices: notices.map((notice) => ({ ...notice, text: 'No.' })) }))
  expect(info.price_check_uri.length).toBeLessThan(short.price_check_uri.length + 20)
  const checked = await parts.checkPrice(info)
  if (checked.status === 'sold_out') throw new Error('sold out')
  expect(checked.change.room?.choice.offer.notices).toEqual(notices)
  const { body } = await parts.bookStay(checked.change.room?.choice.bookingInfo)
  expect(JSON.parse(body).data.notices).toHaveLength(10)
  await parts.close()
})

test('an offer whose notices were deleted has expired, but its booking is replayed', async () => {
  const parts = await openBookingParts()
  const notices = [{ kind: 'fees', title: 'Fees', text: 'Paid there.', requiredAt: ['voucher'] }] as const
  const info = sealOffer(offerKeys, anOffer({ notices }))
  await expect(parts.bookStay(info)).rejects.toMatchObject({ code: 'offer_expired' })
  await parts.notices.keep(notices)
  const first = await parts.bookStay(info)
  await parts.database.write((tx) => tx.deleteFrom('notice_texts').execute())
  expect(await parts.bookStay(info)).toEqual({ ...first, replayed: true })
  await parts.close()
})

test('an offer cannot be read without the key', () => {
  const { price_check_uri: uri = '' } = sealBookingInfo(anOffer({ ref: { secret: 'net-rate-1234' } }))
  const raw = Buffer.from(uri.split('.').at(-1) ?? '', 'base64url').toString('latin1')
  for (const word of ['net-rate', 'acc_1', 'Double', 'EUR']) expect(uri + raw).not.toContain(word)
})

test('no two seals of one offer are equal', () => {
  const seals = Array.from({ length: 100 }, () => sealBookingInfo(anOffer()).price_check_uri)
  expect(new Set(seals).size).toBe(100)
})

test('a token that decompresses to more than an offer can hold is refused', () => {
  expect(openJson(offerKeys, 'x', sealJson(offerKeys, 'x', 'a'.repeat(60_000), { pack: true }))).toHaveLength(60_000)
  expect(openJson(offerKeys, 'x', sealJson(offerKeys, 'x', 'a'.repeat(70_000), { pack: true }))).toBeUndefined()
})

test('any other text opens to undefined and never throws', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' })),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (text, more) => {
        expect(openOffer(offerKeys, { ...more, price_check_uri: text })).toBeUndefined()
        expect(
          openOffer(offerKeys, { price_check_uri: `/api/accommodation/price_check?token=sof1.k1.${text}` }),
        ).toBeUndefined()
        expect(openOffer(offerKeys, more)).toBeUndefined()
      },
    ),
    { numRuns: 500 },
  )
})
