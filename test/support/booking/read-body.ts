import { Value } from 'typebox/value'
import type { BookRequest as Asked } from '../../../src/booking/guests/persons.ts'
import { readBooking, refuseCards } from '../../../src/booking/routes/read-booking.ts'
import { BookRequest } from '../../../src/booking/schemas/bookings.ts'
import { invalidRequest } from '../../../src/domain/errors.ts'

/** A body as the route reads it: card numbers refused, held against the schema, turned into our own words. */
export function readBody(body: unknown): Asked {
  refuseCards(body)
  if (!Value.Check(BookRequest, body))
    throw invalidRequest([{ field: 'body', code: 'invalid', message: 'not as the schema says' }])
  return readBooking(body)
}
