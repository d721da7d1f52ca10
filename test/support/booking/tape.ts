/**
 * Decisions, recorded in advance as numbers. Half of the numbers, and everything after the end, mean the first choice,
 * which is always the harmless one: shrinking a tape makes a quieter world.
 */
export type Tape = { pick<T>(choices: readonly [T, ...T[]]): T }

export const TAPE_MAX = 1023

export function createTape(numbers: readonly number[]): Tape {
  let at = 0
  return {
    pick(choices) {
      const number = numbers[at] ?? 0
      at += 1
      return (number <= TAPE_MAX / 2 ? undefined : choices[number % choices.length]) ?? choices[0]
    },
  }
}
