export type Heap = {
  clear(): void
  push(key: number, item: number): void
  /** The item of the greatest key, or -1 when there is none. */
  pop(): number
}

const FIRST_ROOM = 1024

/** A binary heap of small numbers in typed arrays: nothing is allocated while a search runs. */
export function createHeap(): Heap {
  let keys = new Float64Array(FIRST_ROOM)
  let items = new Int32Array(FIRST_ROOM)
  let size = 0

  function grow(): void {
    const moreKeys = new Float64Array(keys.length * 2)
    const moreItems = new Int32Array(items.length * 2)
    moreKeys.set(keys)
    moreItems.set(items)
    keys = moreKeys
    items = moreItems
  }

  function sink(key: number, item: number): void {
    let at = 0
    for (let child = 1; child < size; child = 2 * at + 1) {
      if (child + 1 < size && (keys[child + 1] as number) > (keys[child] as number)) child++
      if ((keys[child] as number) <= key) break
      keys[at] = keys[child] as number
      items[at] = items[child] as number
      at = child
    }
    keys[at] = key
    items[at] = item
  }

  return {
    clear() {
      size = 0
    },
    push(key, item) {
      if (size === keys.length) grow()
      let at = size++
      while (at > 0) {
        const parent = (at - 1) >> 1
        if ((keys[parent] as number) >= key) break
        keys[at] = keys[parent] as number
        items[at] = items[parent] as number
        at = parent
      }
      keys[at] = key
      items[at] = item
    },
    pop() {
      if (size === 0) return -1
      const top = items[0] as number
      size--
      if (size > 0) sink(keys[size] as number, items[size] as number)
      return top
    },
  }
}
