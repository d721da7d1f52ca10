import { describe, expect, test } from 'vitest'
import { refuseCards } from '../../../src/booking/routes/read-booking.ts'

/** A published test number of a scheme. */
const CARD = '4111111111111111'

describe('card numbers in a booking', () => {
  test('a terms digest that happens to contain the digits of a card number is accepted', () => {
    expect(() => refuseCards({ terms_digest: `trm1_ab${CARD}cdef0123456789abcdefab` })).not.toThrow()
  })

  test.each([CARD, '4111 1111 1111 1111', `trm1_${CARD}`, `trm1_${CARD} and more`])(
    'a terms_digest of any other form that contains a card number is refused: %s',
    (digest) => {
      expect(() => refuseCards({ terms_digest: digest })).toThrow('Card numbers are not accepted')
    },
  )

  test('a card number in another field is refused if a terms digest is present', () => {
    const terms_digest = `trm1_${'a'.repeat(40)}`
    expect(() => refuseCards({ terms_digest, special_requests: `card ${CARD}` })).toThrow()
  })
})
