import { expect, test } from 'vitest'
import type { PropertyOffer } from '../../../../src/domain/offer.ts'
import { monotonicMs } from '../../../../src/lib/time/clock.ts'
import { VendorError } from '../../../../src/vendors/vendor-error.ts'
import { combineKinds, type KindAnswers, RATE_KINDS, requestKinds } from '../../../../src/vendors/wire/rate-kinds.ts'

const eur = (minor: number) => ({ minor, currency: 'EUR' })
const offer = (minor: number, board: 'room_only' | 'breakfast', isFree: boolean): PropertyOffer => ({
  vendorPropertyId: '1',
  total: eur(minor),
  publicTotal: eur(minor),
  board,
  freeCancellation: isFree,
  freeOffer: isFree ? { total: eur(minor) } : null,
  boardOffers: [{ board, total: eur(minor) }],
})
const answer = (...offers: PropertyOffer[]) => ({ offers, dropped: 0 })

const ALL: KindAnswers = {
  cheapest: answer(offer(100, 'room_only', false)),
  refundable: answer(offer(120, 'room_only', true)),
  breakfast: answer(offer(140, 'breakfast', true)),
  half_board: answer(),
  full_board: answer(),
  all_inclusive: answer(),
}

test('a property has one offer: the cheapest, with the cheapest of each kind', () => {
  expect(combineKinds(ALL).offers).toEqual([
    {
      ...offer(100, 'room_only', false),
      freeOffer: { total: eur(120) },
      boardOffers: [
        { board: 'room_only', total: eur(100) },
        { board: 'breakfast', total: eur(140) },
      ],
    },
  ])
})

test("the cheapest rate of another kind is used if the vendor's cheapest is not for sale or dearer with fees", () => {
  const boardOffers = [
    { board: 'room_only', total: eur(120) },
    { board: 'breakfast', total: eur(140) },
  ]
  expect(combineKinds({ ...ALL, cheapest: answer() }).offers).toEqual([
    { ...offer(120, 'room_only', true), boardOffers },
  ])
  expect(combineKinds({ ...ALL, cheapest: answer(offer(130, 'room_only', false)) }).offers).toEqual([
    { ...offer(120, 'room_only', true), boardOffers },
  ])
})

test('offers contain only the kinds that were answered', () => {
  const [withoutBoards] = combineKinds({ ...ALL, half_board: undefined }).offers
  expect(withoutBoards?.freeOffer).toEqual({ total: eur(120) })
  expect(withoutBoards).not.toHaveProperty('boardOffers')
  const others = { refundable: undefined, breakfast: undefined }
  const [withoutFree] = combineKinds({ ...ALL, ...others }).offers
  expect(withoutFree).not.toHaveProperty('freeOffer')
})

test('`freeOffer` is null only if refundable rates were requested', () => {
  const none = { refundable: answer(), breakfast: answer() }
  expect(combineKinds({ ...ALL, ...none }).offers[0]?.freeOffer).toBeNull()
})

test('with limited selling prices, a rate of any kind may be the cheapest to sell', () => {
  const limited = { ...offer(100, 'room_only', false), bounds: { min: eur(150) } }
  const { vendorPropertyId: _, freeOffer: _free, boardOffers: _boards, ...free } = offer(120, 'room_only', true)
  expect(combineKinds({ ...ALL, cheapest: answer(limited) }).offers).toEqual([
    {
      ...limited,
      freeOffer: { total: eur(120) },
      boardOffers: [
        { board: 'room_only', total: eur(100) },
        { board: 'breakfast', total: eur(140) },
      ],
      others: [free],
    },
  ])
})

const hang = (signal: AbortSignal) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new VendorError('alpha', 'timeout', 'none'))),
  )

test('a hanging optional request is aborted in time, and the other kinds are returned', async () => {
  const context = { signal: new AbortController().signal, requestId: 'test', answerBy: monotonicMs() + 50 }
  const { offers, isIncomplete } = await requestKinds(RATE_KINDS, context, async (kind, { signal }) =>
    kind === 'half_board' ? hang(signal) : (ALL[kind] ?? answer()),
  )
  expect(offers).toMatchObject([{ total: eur(100), freeOffer: { total: eur(120) } }])
  expect(offers[0]).not.toHaveProperty('boardOffers')
  expect(isIncomplete).toBe(true)
})

test('the mandatory request is awaited, and the answer is complete', async () => {
  const context = { signal: new AbortController().signal, requestId: 'test', answerBy: monotonicMs() }
  const cheapest = () => new Promise<void>((ready) => setTimeout(ready, 20))
  const asked = requestKinds(['cheapest'], context, async () => {
    await cheapest()
    return ALL.cheapest ?? answer()
  })
  expect(await asked).toEqual(combineKinds({ cheapest: ALL.cheapest }))
})
