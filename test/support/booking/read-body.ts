import { Value } from 'typebox/value'
import type { BookRequest as Asked } from '../../../src/booking/persons.ts'
import { invalidRequest } from '../../../src/domain/app-error.ts'
import { readBooking, refuseCards } from '../../../src/http/routes/read-booking.ts'
import { BookRequest } from '../../../src/http/schemas/bookings.ts'

/** A body as the route reads it: card numbers refused, held against the schema, turned into our own words. */
export function readBody(body: unknown): Asked {
  refuseCards(body)
  if (!Value.Check(BookRequest, body))
    throw invalidRequest([{ field: 'body', code: 'invalid', message: 'not as the schema says' }])
  return readBooking(body)
}
