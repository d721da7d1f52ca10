import type { components } from '../../../../packages/client/src/index.ts'
import type { Faults } from '../../ui/faults.ts'
import { currencyFault, ifEmpty, numberFault } from '../parts/checks.ts'

type TrialRequest = components['schemas']['SellingTrialRequest']

/** Name and label of each field, and its path in the service's errors. */
export const TRIAL_FIELDS = [
  ['vendor', 'Vendor', 'vendor_id'],
  ['net', 'Net price', 'net.amount'],
  ['currency', 'Vendor’s currency', 'net.currency'],
  ['checkIn', 'Check-in', 'check_in'],
  ['checkOut', 'Check-out', 'check_out'],
  ['rooms', 'Rooms', 'rooms'],
  ['asked', 'Client’s currency', 'currency'],
  ['country', 'Country', 'country_code'],
  ['destination', 'Destination', 'destination_id'],
  ['property', 'Property', 'property_id'],
  ['stars', 'Stars', 'stars'],
  ['account', 'Account', 'account_id'],
  ['askedOn', 'Searched on', 'asked_on'],
] as const

export type TrialForm = Readonly<Record<(typeof TRIAL_FIELDS)[number][0], string>>

const DAY_MS = 24 * 3_600_000
const dayFromNow = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)

export const NEW_TRIAL: TrialForm = {
  vendor: 'any',
  net: '100',
  currency: 'EUR',
  checkIn: dayFromNow(30),
  checkOut: dayFromNow(32),
  rooms: '1',
  asked: '',
  country: '',
  destination: '',
  property: '',
  stars: '',
  account: '',
  askedOn: '',
}

const isNumberField = (name: keyof TrialForm) => name === 'net' || name === 'rooms' || name === 'stars'
const toText = (value: string | number | null | undefined): string => (value == null ? '' : String(value))

export const toTrialForm = (trial: TrialRequest): TrialForm => ({
  vendor: trial.vendor_id,
  net: String(trial.net.amount),
  currency: trial.net.currency,
  checkIn: trial.check_in,
  checkOut: trial.check_out,
  rooms: toText(trial.rooms),
  asked: toText(trial.currency),
  country: toText(trial.country_code),
  destination: toText(trial.destination_id),
  property: toText(trial.property_id),
  stars: toText(trial.stars),
  account: toText(trial.account_id),
  askedOn: toText(trial.asked_on),
})

/** By the service's name of the field. The service checks the rest. */
export const checkTrial = (form: TrialForm): Faults => ({
  ...Object.fromEntries(
    TRIAL_FIELDS.filter(([name]) => isNumberField(name)).map(([name, , field]) => [field, numberFault(form[name])]),
  ),
  vendor_id: ifEmpty(form.vendor),
  'net.currency': currencyFault(form.currency),
  check_in: ifEmpty(form.checkIn),
  check_out: ifEmpty(form.checkOut),
  ...(form.net.trim() === '' && { 'net.amount': 'Enter the net price.' }),
})

/** Omits empty fields. */
export function trialBody(form: TrialForm): TrialRequest {
  const given = (name: keyof TrialForm) => form[name].trim()
  return {
    vendor_id: given('vendor'),
    net: { amount: Number(given('net')), currency: given('currency').toUpperCase() },
    check_in: given('checkIn'),
    check_out: given('checkOut'),
    ...(given('rooms') !== '' && { rooms: Number(given('rooms')) }),
    ...(given('asked') !== '' && { currency: given('asked').toUpperCase() }),
    ...(given('country') !== '' && { country_code: given('country').toUpperCase() }),
    ...(given('destination') !== '' && { destination_id: given('destination') }),
    ...(given('property') !== '' && { property_id: given('property') }),
    ...(given('stars') !== '' && { stars: Number(given('stars')) }),
    ...(given('account') !== '' && { account_id: given('account') }),
    ...(given('askedOn') !== '' && { asked_on: given('askedOn') }),
  }
}
