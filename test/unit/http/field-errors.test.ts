import Fastify from 'fastify'
import { type TSchema, Type } from 'typebox'
import { expect, test } from 'vitest'
import { toFieldErrors } from '../../../src/http/body/field-errors.ts'
import { VALIDATION } from '../../../src/http/body/validation.ts'
import { nullable, optionalOrNull } from '../../../src/http/schemas/or-null.ts'

/** Field errors that a client gets for `body` under this schema. */
async function validate(schema: TSchema, body: unknown) {
  const app = Fastify({ ajv: VALIDATION })
  app.post('/', { schema: { body: schema }, attachValidation: true }, async ({ validationError }) =>
    toFieldErrors(validationError?.validation ?? [], validationError?.validationContext ?? 'body'),
  )
  const answer = await app.inject({ method: 'POST', url: '/', payload: body as object })
  return answer.json()
}

const Room = Type.Object({
  adults: Type.Integer({
    minimum: 1,
    maximum: 14,
    'x-errors': { minimum: { code: 'too_few_adults', message: 'A room needs at least one adult.' } },
  }),
  children_ages: optionalOrNull(Type.Array(Type.Integer({ minimum: 0, maximum: 17 }), { maxItems: 6 })),
})
const Search = Type.Object({
  check_in: Type.String({ format: 'date', 'x-errors': { format: { code: 'not_a_date' } } }),
  rooms: Type.Array(Room, {
    minItems: 1,
    maxItems: 8,
    'x-errors': { required: { message: '{field} is missing: send one entry for each room.' } },
  }),
  radius_km: optionalOrNull(
    Type.Number({
      minimum: 0.5,
      maximum: 100,
      'x-errors': { '*': { code: 'out_of_range', message: '{field} must be a number from 0.5 to 100.' } },
    }),
  ),
})
const validBody = { check_in: '2027-03-12', rooms: [{ adults: 2 }] }

test('a valid body has no errors', async () => {
  expect(await validate(Search, { ...validBody, radius_km: null })).toEqual([])
})

test('every invalid field is reported once, with its path, a code and a message', async () => {
  const rooms = [{ adults: 0 }, { adults: 15, children_ages: [1, 18] }, {}, 2, { adults: '2', children_ages: 7 }]
  expect(await validate(Search, { check_in: '2027-02-30', rooms, radius_km: 'far' })).toEqual([
    {
      field: 'check_in',
      code: 'not_a_date',
      message: 'check_in must be a calendar date, YYYY-MM-DD.',
    },
    { field: 'rooms[0].adults', code: 'too_few_adults', message: 'A room needs at least one adult.' },
    { field: 'rooms[1].adults', code: 'too_large', message: 'rooms[1].adults may be at most 14.' },
    { field: 'rooms[1].children_ages[1]', code: 'too_large', message: 'rooms[1].children_ages[1] may be at most 17.' },
    { field: 'rooms[2].adults', code: 'required', message: 'rooms[2].adults is missing.' },
    { field: 'rooms[3]', code: 'wrong_type', message: 'rooms[3] must be an object.' },
    { field: 'rooms[4].adults', code: 'wrong_type', message: 'rooms[4].adults must be a whole number.' },
    { field: 'rooms[4].children_ages', code: 'wrong_type', message: 'rooms[4].children_ages must be a list.' },
    { field: 'radius_km', code: 'out_of_range', message: 'radius_km must be a number from 0.5 to 100.' },
  ])
})

test('a missing field gets the message of its own schema', async () => {
  expect(await validate(Search, {})).toEqual([
    { field: 'check_in', code: 'required', message: 'check_in is missing.' },
    { field: 'rooms', code: 'required', message: 'rooms is missing: send one entry for each room.' },
  ])
})

test('a body that is not an object gets one error', async () => {
  expect(await validate(Search, [1])).toEqual([
    { field: 'body', code: 'wrong_type', message: 'body must be an object.' },
  ])
})

test('a list that is too long gets one error, whatever it contains', async () => {
  expect(await validate(Search, { ...validBody, rooms: Array(9).fill('room') })).toEqual([
    { field: 'rooms', code: 'too_many', message: 'rooms may have at most 8 entries.' },
  ])
})

test('errors inside a nullable object name the nested field', async () => {
  const Budget = Type.Object({ amount: Type.Number({ minimum: 0 }), per: Type.Enum(['day', 'month']) })
  const schema = Type.Object({
    budget: nullable(Budget),
    role: Type.Optional(nullable(Type.Enum(['client', 'viewer']))),
  })
  expect(await validate(schema, { budget: null, role: null })).toEqual([])
  expect(await validate(schema, { budget: { amount: -1, per: 'year' }, role: 'root' })).toEqual([
    { field: 'budget.amount', code: 'too_small', message: 'budget.amount must be at least 0.' },
    { field: 'budget.per', code: 'not_allowed', message: 'budget.per must be one of day, month.' },
    { field: 'role', code: 'not_allowed', message: 'role must be one of client, viewer.' },
  ])
  expect(await validate(schema, { budget: 5 })).toEqual([
    { field: 'budget', code: 'wrong_type', message: 'budget must be an object.' },
  ])
})

test('a duplicate entry in a list is reported as such', async () => {
  const schema = Type.Object({ scopes: Type.Array(Type.String(), { uniqueItems: true }) })
  expect(await validate(schema, { scopes: ['a', 'b', 'a'] })).toEqual([
    { field: 'scopes', code: 'duplicate', message: 'scopes must not contain duplicates.' },
  ])
})

test('a union gets one error, not one for each branch', async () => {
  const Either = Type.Object({ id: Type.Union([Type.Integer(), Type.Object({ a: Type.String() })]) })
  expect(await validate(Either, { id: { a: 1 } })).toEqual([
    { field: 'id', code: 'invalid', message: 'id does not match any allowed form.' },
  ])
})

test('at most fifty errors are reported', async () => {
  expect(await validate(Type.Array(Type.Integer()), Array(1_000).fill('x'))).toHaveLength(50)
})
