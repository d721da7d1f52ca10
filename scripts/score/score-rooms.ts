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
  /** Matched, and labelled as different rooms. */
  readonly wrong: readonly RoomPairJudged[]
  readonly missed: readonly RoomPairJudged[]
}

/** Throws an error that names the first entry that is not a pair. */
export function readRoomPairs(json: string): RoomPair[] {
  const pairs: unknown = JSON.parse(json)
  if (!Array.isArray(pairs)) throw new Error('the file is not a list of pairs')
  return pairs.map((pair: unknown, at) => {
    if (Value.Check(PairSchema, pair)) return pair
    const [first] = Value.Errors(PairSchema, pair)
    throw new Error(`pair ${at + 1}: ${first?.instancePath ?? ''} ${first?.message ?? 'is not a pair'}`)
  })
}

/** Judges each pair as if the two were the only rooms of a property, each of another vendor. */
export function scoreRooms(pairs: readonly RoomPair[]): RoomScore {
  const judged = pairs.map((pair) => ({
    ...pair,
    verdict: compareRooms(readAttributes(pair.a), readAttributes(pair.b)),
  }))
  const only = (same: boolean, matched: boolean) =>
    judged
      .filter((pair) => pair.same === same && pair.verdict.same === matched)
      .map(({ verdict, ...pair }) => ({ ...pair, by: verdict.by }))
  return { right: only(true, true).length, wrong: only(false, true), missed: only(true, false) }
}
