import { Value } from 'typebox/value'
import type { BookRequest as Asked } from '../../../src/booking/guests/persons.ts'
import { readBooking, refuseCards } from '../../../src/booking/routes/read-booking.ts'
import { BookRequest } from '../../../src/booking/schemas/bookings.ts'
import { invalidRequest } from '../../../src/domain/errors.ts'

/** Parses a body as the route does: rejects card numbers, validates the schema, and converts it. */
export function readBody(body: unknown): Asked {
  refuseCards(body)
  if (!Value.Check(BookRequest, body))
    throw invalidRequest([{ field: 'body', code: 'invalid', message: 'not as the schema says' }])
  return readBooking(body)
}
