import type { MatchTraits } from '../match-traits.ts'
import { isGradeOf } from './brands.ts'

/** True if numbers, sides of town or brands show that these are two properties. */
export function namesClash(a: MatchTraits, b: MatchTraits): boolean {
  return (
    bothHaveMore(a.name.numbers, b.name.numbers) ||
    bothHaveMore(a.name.sides, b.name.sides) ||
    (a.name.brands.length > 0 &&
      b.name.brands.length > 0 &&
      !a.name.brands.some((brand) => b.name.brands.some((other) => brand === other || isGradeOf(brand, other))))
  )
}

const bothHaveMore = (a: readonly string[], b: readonly string[]): boolean =>
  a.length > 0 && b.length > 0 && a.some((value) => !b.includes(value)) && b.some((value) => !a.includes(value))
