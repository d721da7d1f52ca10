import type { Expand } from './charge-object.ts'
import { hasForbiddenDigits, isBelowMinimum } from './currencies.ts'
import { type Form, groupOf, textOf, textsOf } from './form-body.ts'
import { invalid, missing } from './refusal.ts'
import type { KeptIntent } from './state.ts'

/** Stripe refuses parameters that it does not know. */
export function refuseUnknown(form: Form, known: readonly string[]): void {
  const unknown = Object.keys(form).find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid(`Received unknown parameter: ${unknown}`, 'parameter_unknown', unknown)
}

export const readExpand = (form: Form): Expand => new Set(textsOf(form, 'expand'))

/** Undefined if missing. */
export function readAmount(form: Form, name: string): number | undefined {
  const text = textOf(form, name)
  if (text === undefined) return undefined
  if (!/^\d{1,12}$/.test(text)) throw invalid(`Invalid integer: ${text}`, 'parameter_invalid_integer', name)
  return Number(text)
}

const CREATE_PARAMETERS = [
  'amount',
  'currency',
  'capture_method',
  'allowed_payment_method_types',
  'automatic_payment_methods',
  'excluded_payment_method_types',
  'payment_method_configuration',
  'payment_method_types',
  'payment_method_options',
  'description',
  'statement_descriptor_suffix',
  'metadata',
  'expand',
]
const RIVALS = ['automatic_payment_methods', 'excluded_payment_method_types', 'payment_method_configuration']
const CAPTURE_METHODS = ['manual', 'automatic', 'automatic_async'] as const

type Order = Pick<KeptIntent, 'amount' | 'currency' | 'captureMethod' | 'description' | 'statementSuffix' | 'metadata'>

export function readCreate(form: Form): Order {
  refuseUnknown(form, CREATE_PARAMETERS)
  refuseMethodTypes(form)
  const amount = readAmount(form, 'amount')
  if (amount === undefined) throw invalid('Missing required param: amount.', 'parameter_missing', 'amount')
  const currency = textOf(form, 'currency')?.toLowerCase()
  if (currency === undefined) throw invalid('Missing required param: currency.', 'parameter_missing', 'currency')
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}`, undefined, 'currency')
  if (isBelowMinimum(amount, currency)) throw invalid('Amount is too small.', 'amount_too_small', 'amount')
  if (hasForbiddenDigits(amount, currency))
    throw invalid(`Amounts in ${currency} cannot have these last digits.`, 'parameter_invalid_integer', 'amount')
  const given = textOf(form, 'capture_method') ?? 'automatic_async'
  const captureMethod = CAPTURE_METHODS.find((method) => method === given)
  if (captureMethod === undefined) throw invalid(`Invalid capture_method: ${given}`, undefined, 'capture_method')
  return {
    amount,
    currency,
    captureMethod,
    description: textOf(form, 'description') ?? null,
    statementSuffix: textOf(form, 'statement_descriptor_suffix') ?? null,
    metadata: readMetadata(form),
  }
}

function refuseMethodTypes(form: Form): void {
  if ('payment_method_types' in form)
    throw invalid(
      'payment_method_types is no longer supported. Use allowed_payment_method_types.',
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    )
  const rival = RIVALS.find((name) => name in form)
  if ('allowed_payment_method_types' in form && rival !== undefined)
    throw invalid(`allowed_payment_method_types cannot be combined with ${rival}.`, undefined, rival)
}

const METADATA_KEYS_MAX = 50
const METADATA_KEY_MAX = 40
const METADATA_VALUE_MAX = 500

export function readMetadata(form: Form): Readonly<Record<string, string>> {
  const entries = Object.entries(groupOf(form, 'metadata'))
  const isValid = entries.every(
    ([name, value]) =>
      typeof value === 'string' && name.length <= METADATA_KEY_MAX && value.length <= METADATA_VALUE_MAX,
  )
  if (!isValid || entries.length > METADATA_KEYS_MAX) throw invalid('Invalid metadata.', undefined, 'metadata')
  return Object.fromEntries(entries) as Record<string, string>
}

type Page = {
  readonly limit: number
  readonly after: string | undefined
  readonly createdFrom: number
  readonly createdTo: number
}

export function readPageParameters(form: Form): Page {
  const created = groupOf(form, 'created')
  const limit = readAmount(form, 'limit') ?? 10
  if (limit < 1 || limit > 100) throw invalid('limit must be from 1 to 100.', undefined, 'limit')
  return {
    limit,
    after: textOf(form, 'starting_after'),
    createdFrom: readAmount(created, 'gte') ?? 0,
    createdTo: readAmount(created, 'lte') ?? Number.MAX_SAFE_INTEGER,
  }
}

export function takePage<Item extends { readonly id: string }>(url: string, items: readonly Item[], page: Page) {
  const place = page.after === undefined ? -1 : items.findIndex(({ id }) => id === page.after)
  if (page.after !== undefined && place < 0) throw missing('object', page.after)
  const rest = items.slice(place + 1)
  return { object: 'list', url, has_more: rest.length > page.limit, data: rest.slice(0, page.limit) }
}
