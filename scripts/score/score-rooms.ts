import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { compareRooms, type RoomAttribute } from '../../src/catalogue/rooms/compare-rooms.ts'
import { readAttributes } from '../../src/catalogue/rooms/read-attributes.ts'

const RoomSchema = Type.Object({
  name: Type.String({ minLength: 1 }),
  beds: Type.Optional(Type.Array(Type.String())),
  vendor: Type.Optional(Type.String()),
})
const PairSchema = Type.Object({ a: RoomSchema, b: RoomSchema, same: Type.Boolean() })

export type RoomPair = {
  readonly a: { readonly name: string; readonly beds?: readonly string[]; readonly vendor?: string }
  readonly b: { readonly name: string; readonly beds?: readonly string[]; readonly vendor?: string }
  readonly same: boolean
}
export type RoomPairJudged = RoomPair & { readonly by: readonly RoomAttribute[] }
export type RoomScore = {
  readonly right: number
  /** Matched, but labelled as different rooms. */
  readonly wrong: readonly RoomPairJudged[]
  readonly missed: readonly RoomPairJudged[]
}

/** Throws an error that identifies the first invalid entry. */
export function readRoomPairs(json: string): RoomPair[] {
  const pairs: unknown = JSON.parse(json)
  if (!Array.isArray(pairs)) throw new Error('the file is not a list of pairs')
  return pairs.map((pair: unknown, index) => {
    if (Value.Check(PairSchema, pair)) return pair
    const [first] = Value.Errors(PairSchema, pair)
    throw new Error(`pair ${index + 1}: ${first?.instancePath ?? ''} ${first?.message ?? 'is not a pair'}`)
  })
}

/** Judges each pair as if the two were the only rooms of a property, from different vendors. */
export function scoreRoomPairs(pairs: readonly RoomPair[]): RoomScore {
  const judged = pairs.map((pair) => ({
    ...pair,
    verdict: compareRooms(readAttributes(pair.a), readAttributes(pair.b)),
  }))
  const select = (same: boolean, matched: boolean) =>
    judged
      .filter((pair) => pair.same === same && pair.verdict.same === matched)
      .map(({ verdict, ...pair }) => ({ ...pair, by: verdict.by }))
  return { right: select(true, true).length, wrong: select(false, true), missed: select(true, false) }
}
