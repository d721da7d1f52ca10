import { expect, test } from 'vitest'
import { describeShape } from '../../../../src/vendors/transport/drift/describe-shape.ts'

const body = {
  hotels: [
    { code: 1, status: 'AVAILABLE', name: 'Plaza', note: null },
    { code: '2', status: 'on request', open: true },
  ],
  prices: { EUR: 1, '2027-01-15': 2 },
}
const SHAPE = [
  ':object',
  '.hotels:array',
  '.hotels[]:object',
  '.hotels[].code:number',
  '.hotels[].status:string',
  expect.stringMatching(/^\.hotels\[\]\.status=[0-9a-z]+$/),
  '.hotels[].name:string',
  '.hotels[].code:string',
  '.hotels[].code=*',
  '.hotels[].status=*',
  '.hotels[].open:boolean',
  '.prices:object',
  '.prices.*:number',
]

test('a shape names paths, types and hashed words, and neither values nor words of persons', () => {
  expect(describeShape(body)).toEqual(SHAPE)
})

test('equal words have equal hashes, others do not', () => {
  const wordOf = (status: string) => describeShape({ status }).at(-1)
  expect(wordOf('OPEN')).toBe(wordOf('OPEN'))
  expect(wordOf('OPEN')).not.toBe(wordOf('CLOSED'))
})

test('a shape is the same after many others, and a response with very many members is cut off', () => {
  for (let count = 0; count < 15; count += 1) {
    const names = Array.from({ length: 2_000 }, (_, number) => [`n${count}_${number}`, number])
    expect(describeShape(Object.fromEntries(names))).toHaveLength(1_500)
  }
  expect(describeShape(body)).toEqual(SHAPE)
})
