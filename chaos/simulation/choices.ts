/**
 * A sequence of random decisions, given as numbers. Half of the numbers, and everything after the end, select the first
 * option, which is always harmless, so that shrinking the sequence removes faults.
 */
export type Choices = { pick<T>(options: readonly [T, ...T[]]): T }

export const CHOICE_MAX = 1023

/** The same decisions; `onHarm` is called for every one that is not harmless. */
export const watchChoices = (choices: Choices, onHarm: () => void): Choices => ({
  pick(options) {
    const picked = choices.pick(options)
    if (picked !== options[0]) onHarm()
    return picked
  },
})

/**
 * With a focus other than 0, only one harmful option of each kind is ever selected. Repeating the same few faults finds
 * bugs that need two or three of them at once.
 */
export function createChoices(numbers: readonly number[], focus = 0): Choices {
  let position = 0
  return {
    pick(options) {
      const number = numbers[position] ?? 0
      position += 1
      if (number <= CHOICE_MAX / 2 || options.length < 2) return options[0]
      const harm = focus === 0 ? number : focus * 31 + options.length
      return options[1 + (harm % (options.length - 1))] ?? options[0]
    },
  }
}
