/**
 * Decisions, recorded in advance as numbers. Half of the numbers, and everything after the end, mean the first choice,
 * which is always the harmless one: shrinking a tape makes a quieter world.
 */
export type Tape = { pick<T>(choices: readonly [T, ...T[]]): T }

export const TAPE_MAX = 1023

/**
 * With a focus other than 0, only one of the harmful choices of each kind ever comes up. Worlds in which the same few
 * things go wrong again and again find what needs two or three of them at once.
 */
export function createTape(numbers: readonly number[], focus = 0): Tape {
  let at = 0
  return {
    pick(choices) {
      const number = numbers[at] ?? 0
      at += 1
      if (number <= TAPE_MAX / 2 || choices.length < 2) return choices[0]
      const harm = focus === 0 ? number : focus * 31 + choices.length
      return choices[1 + (harm % (choices.length - 1))] ?? choices[0]
    },
  }
}
