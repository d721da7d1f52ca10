import { refuseCardNumbers } from '../booking/guests/card-numbers.ts'
import { refuseTooMany } from '../booking/guests/persons.ts'
import { BookRequest } from '../booking/schemas/bookings.ts'
import { AppError } from '../domain/errors.ts'
import { checkBody } from '../http/body/check-body.ts'
import { ToolError } from './api.ts'

/**
 * Refuses what the API would refuse at the booking. By then the user would have agreed to it, and it would have been stored, which
 * must never happen to a card number.
 */
export function checkOrder(order: { readonly guests: readonly unknown[] }, rooms: number): void {
  try {
    refuseCardNumbers(order)
    checkBody(BookRequest, order)
    refuseTooMany(order.guests, rooms)
  } catch (error) {
    if (error instanceof AppError) throw new ToolError(error.code, error.message, { errors: error.errors })
    throw error
  }
}
