import { type Json, objectIn } from '../../server/read-json.ts'
import type { ShopQuery } from './shop-query.ts'
import { type NestedError, nested } from './vendor-words.ts'

/** A booking request without `bookErrors`. */
export type BookRequest = {
  readonly reference: string
  readonly email: string
  readonly phone: { readonly country_code: string; readonly area_code?: string; readonly number: string }
  readonly rooms: readonly {
    readonly given_name: string
    readonly family_name: string
    readonly special_request?: string
    readonly smoking?: boolean
  }[]
  readonly billingContact: unknown
}

const record = (value: unknown): Json => objectIn(value)
const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const EMAIL = /^[^\s@<>()&]+@[^\s@<>()&]+\.[^\s@<>()&]+$/
const NAME_MAX = 60

export const isEmail = (value: string): boolean => EMAIL.test(value)

/** Bookings charged in these currencies require a tax number. */
const TAXED_CURRENCIES = ['BRL', 'INR']

/** All errors of a booking request for a rate. */
export function bookErrors(body: unknown, { occupancies, currency }: ShopQuery): NestedError[] {
  const order = record(body)
  const createError = (type: string, message: string, name: string, value?: unknown): NestedError =>
    nested(type, message, name, 'body', value === undefined ? undefined : String(value))
  const errors: NestedError[] = []
  const reference = text(order.affiliate_reference_id)
  if (reference.length > 28 || (reference !== '' && reference.length < 3) || /[<>()&]/.test(reference)) {
    const message = 'Affiliate reference id must have 3 to 28 characters.'
    errors.push(
      createError('affiliate_reference_id.invalid_exceeds_char_limit', message, 'affiliate_reference_id', reference),
    )
  }
  if (order.email === undefined) errors.push(createError('email.required', 'Email is required.', 'email'))
  else if (!isEmail(text(order.email))) {
    errors.push(createError('email.invalid', 'Customer email address is invalid.', 'email', order.email))
  }
  errors.push(...phoneErrors(order.phone, createError), ...roomErrors(order.rooms, occupancies.length, createError))
  errors.push(...paymentErrors(order.payments, createError))
  if (TAXED_CURRENCIES.includes(currency) && text(order.tax_registration_number) === '') {
    const name = 'tax_registration_number'
    errors.push(createError(`${name}.required`, 'Tax registration number is required.', name))
  }
  return errors
}

type CreateError = (type: string, message: string, name: string, value?: unknown) => NestedError

function phoneErrors(value: unknown, createError: CreateError): NestedError[] {
  if (value === undefined) return [createError('phone.required', 'Phone is required.', 'phone')]
  const phone = record(value)
  const parts = [text(phone.country_code), text(phone.area_code), text(phone.number)]
  const isValid = /^\d+$/.test(parts[0] ?? '') && /^\d+$/.test(parts[2] ?? '') && parts.join('').length <= 25
  return isValid ? [] : [createError('phone.invalid', 'Phone is invalid.', 'phone')]
}

function roomErrors(value: unknown, rooms: number, createError: CreateError): NestedError[] {
  const given = list(value).map(record)
  if (given.length !== rooms)
    return [createError('rooms.required', `${rooms} rooms are required.`, 'rooms', given.length)]
  return given.flatMap((room) =>
    ['given_name', 'family_name'].flatMap((name) => {
      const value = text(room[name])
      if (value === '') return [createError(`${name}.required`, `${name} is required.`, name)]
      return value.length > NAME_MAX ? [createError(`${name}.invalid`, `${name} is too long.`, name, value)] : []
    }),
  )
}

function paymentErrors(value: unknown, createError: CreateError): NestedError[] {
  const [first] = list(value).map(record)
  if (first === undefined) return [createError('payments.required', 'Payments are required.', 'payments')]
  if (first.type !== 'affiliate_collect') {
    return [createError('payments.type.not_supported', 'Payment type is not supported.', 'payments.type', first.type)]
  }
  const contact = record(first.billing_contact)
  if (text(contact.given_name) === '' || text(contact.family_name) === '') {
    return [{ type: 'payments.billing_contact.required', message: 'Billing contact is required.' }]
  }
  return addressErrors(record(contact.address), createError)
}

const NEEDS_STATE = ['AU', 'CA', 'US']
const NEEDS_POSTAL_CODE = ['CA', 'GB', 'US']

function addressErrors(address: Json, createError: CreateError): NestedError[] {
  const country = text(address.country_code)
  if (!/^[A-Z]{2}$/.test(country))
    return [createError('address.country_code.invalid', 'Address country code is invalid.', 'country_code', country)]
  const needed = [
    ...(NEEDS_STATE.includes(country) ? ['state_province_code'] : []),
    ...(NEEDS_POSTAL_CODE.includes(country) ? ['postal_code'] : []),
  ]
  return needed
    .filter((name) => text(address[name]) === '')
    .map((name) => createError(`address.${name}.required`, `Address ${name} is required.`, name))
}

/** Reads a request that has no `bookErrors`. */
export function readBookRequest(body: unknown): BookRequest {
  const order = record(body)
  return {
    reference: text(order.affiliate_reference_id),
    email: text(order.email),
    phone: order.phone as BookRequest['phone'],
    rooms: list(order.rooms) as BookRequest['rooms'],
    billingContact: record(list(order.payments)[0]).billing_contact,
  }
}
