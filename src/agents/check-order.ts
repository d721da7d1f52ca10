import { refuseCardNumbers } from '../booking/guests/card-numbers.ts'
import { refuseTooManyGuests } from '../booking/guests/persons.ts'
import { BookRequest } from '../booking/schemas/bookings.ts'
import { AppError } from '../domain/errors.ts'
import { checkBody } from '../http/body/check-body.ts'
import { ToolError } from './api.ts'

/** Checked before the user agrees, as at booking. A card number must never be stored. */
export function checkOrder(order: { readonly guests: readonly unknown[] }, rooms: number): void {
  try {
    refuseCardNumbers(order)
    checkBody(BookRequest, order)
    refuseTooManyGuests(order.guests, rooms)
  } catch (error) {
    if (error instanceof AppError) throw new ToolError(error.code, error.message, { errors: error.errors })
    throw error
  }
}
