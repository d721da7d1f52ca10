import { randomUUID } from 'node:crypto'

/**
 * A name of a guest that no other booking has, so that a test that is run again starts afresh. Letters only, as in a
 * name.
 */
export const newName = (prefix = 'Guest'): string =>
  `${prefix}${randomUUID().replace(/\d|-/g, (char) => 'ghijklmnopq'['0123456789-'.indexOf(char)] ?? '')}`
