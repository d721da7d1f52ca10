import { refuseCardNumbers } from '../booking/card-numbers.ts'
import { refuseTooMany } from '../booking/persons.ts'
import { AppError } from '../domain/app-error.ts'
import { checkBody } from '../http/frame/check-body.ts'
import { BookRequest } from '../http/schemas/bookings.ts'
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
