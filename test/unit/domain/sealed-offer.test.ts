import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openOffer, type SealedOffer } from '../../../src/domain/sealed-offer.ts'
import { openJson, sealJson } from '../../../src/lib/seal.ts'
import { anOffer, bookingInfoOf, offerKeys } from '../../support/booking/an-offer.ts'

test('an offer comes back whole, whatever the vendor put into it', () => {
  const texts = fc.dictionary(fc.string({ minLength: 1 }), fc.string({ unit: 'grapheme' }), { maxKeys: 5 })
  const offers = fc.record({ ref: texts, roomName: fc.string({ unit: 'grapheme' }), expiresAt: fc.nat() })
  fc.assert(
    fc.property(offers, texts, (more, shown) => {
      const { price_check_uri: _, ...visible } = shown
      const offer: SealedOffer = anOffer({ ...more, visible })
      expect(openOffer(offerKeys, bookingInfoOf(offer))).toEqual(offer)
    }),
    { numRuns: 300 },
  )
})

test('nothing of an offer can be read without the key', () => {
  const { price_check_uri: uri = '' } = bookingInfoOf(anOffer({ ref: { secret: 'net-rate-1234' } }))
  const raw = Buffer.from(uri.split('.').at(-1) ?? '', 'base64url').toString('latin1')
  for (const word of ['net-rate', 'acc_1', 'Double', 'EUR']) expect(uri + raw).not.toContain(word)
})

test('no two seals of one offer are alike', () => {
  const seals = Array.from({ length: 100 }, () => bookingInfoOf(anOffer()).price_check_uri)
  expect(new Set(seals).size).toBe(100)
})

test('what unpacks to more than an offer can hold is refused, not unpacked', () => {
  expect(openJson(offerKeys, 'x', sealJson(offerKeys, 'x', 'a'.repeat(60_000), { pack: true }))).toHaveLength(60_000)
  expect(openJson(offerKeys, 'x', sealJson(offerKeys, 'x', 'a'.repeat(70_000), { pack: true }))).toBeUndefined()
})

test('anything that is not one of ours opens to nothing and never throws', () => {
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
