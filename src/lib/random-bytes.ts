import { randomFillSync } from 'node:crypto'

/** Chance in store: asking the system for twelve bytes costs as much as asking for thousands. */
const store = Buffer.alloc(4096)
let used = store.length

/** Random bytes that nobody got before. They are overwritten some calls later, so they are for the use at hand. */
export function freshBytes(count: number): Buffer {
  if (used + count > store.length) {
    randomFillSync(store)
    used = 0
  }
  used += count
  return store.subarray(used - count, used)
}
