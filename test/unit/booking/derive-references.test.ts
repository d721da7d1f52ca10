import { expect, test } from 'vitest'
import { deriveReferences, type ReferenceIntent } from '../../../src/booking/derive-references.ts'
import { deriveKeyring, type SecretKey } from '../../../src/lib/crypto/keyring.ts'

const [OLD, NEW]: readonly [SecretKey, SecretKey] = [
  { id: 'old', key: Buffer.alloc(32, 1) },
  { id: 'new', key: Buffer.alloc(32, 2) },
]
const ringOf = (...secrets: SecretKey[]) => deriveKeyring(secrets, 'references')

const anIntent = (more: Partial<ReferenceIntent> = {}): ReferenceIntent => ({
  ...{ accountId: 'acc_1', simulated: false, idempotencyKey: 'key', lineage: 'lin', offerId: 'off_1' },
  ...more,
})
const derive = (more?: Partial<ReferenceIntent>, secretId = 'old', ring = ringOf(OLD)) =>
  deriveReferences(ring, secretId, anIntent(more))

test('a reference fits every vendor: twenty letters and digits that survive upper-casing', () => {
  for (let index = 0; index < 1_000; index += 1)
    expect(derive({ idempotencyKey: `${index}` })[0]).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/)
})

test('references of different accounts, worlds, keys and lineages differ', () => {
  const all = [
    derive(),
    derive({ accountId: 'acc_2' }),
    derive({ simulated: true }),
    derive({ idempotencyKey: 'other' }),
    derive({ idempotencyKey: undefined }),
    derive({ idempotencyKey: undefined, lineage: 'key' }),
    derive({ idempotencyKey: 'lin' }),
  ].map(([first]) => first)
  expect(new Set(all).size).toBe(all.length)
})

test('all offers of a lineage share the first reference, and each has another one for a later attempt', () => {
  const [one, two] = ['off_1', 'off_2'].map((offerId) => derive({ idempotencyKey: undefined, offerId }))
  expect(one?.[0]).toBe(two?.[0])
  expect(one?.[1]).not.toBe(two?.[1])
})

test('a reference stays the same after a rotation, until the secret that sealed the offer is removed', () => {
  expect(derive({}, 'old', ringOf(NEW, OLD))).toEqual(derive({}, 'old', ringOf(OLD)))
  expect(derive({}, 'new', ringOf(NEW, OLD))).not.toEqual(derive({}, 'old', ringOf(OLD)))
})

test('the derivation never changes, because repeats of earlier versions must find their bookings', () => {
  expect(derive()).toEqual(['6SWWA8P5V6M07QT85YQX'])
})
