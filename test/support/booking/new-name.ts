import { randomUUID } from 'node:crypto'

/** Returns a unique family name, so that retries of a test do not share bookings. Letters only. */
export const newName = (prefix = 'Guest'): string =>
  `${prefix}${randomUUID().replace(/\d|-/g, (char) => 'ghijklmnopq'['0123456789-'.indexOf(char)] ?? '')}`
