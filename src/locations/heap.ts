export type Heap<T> = { push(item: T): void; pop(): T | undefined }

/** A binary heap: `pop` answers the item that comes before all others. */
export function createHeap<T>(before: (a: T, b: T) => boolean): Heap<T> {
  const items: T[] = []

  function sink(item: T): void {
    let at = 0
    for (let child = 1; child < items.length; child = 2 * at + 1) {
      if (child + 1 < items.length && before(items[child + 1] as T, items[child] as T)) child++
      if (!before(items[child] as T, item)) break
      items[at] = items[child] as T
      at = child
    }
    items[at] = item
  }

  return {
    push(item) {
      let at = items.length
      items.push(item)
      while (at > 0) {
        const parent = (at - 1) >> 1
        if (!before(item, items[parent] as T)) break
        items[at] = items[parent] as T
        at = parent
      }
      items[at] = item
    },
    pop() {
      const top = items[0]
      const last = items.pop()
      if (items.length > 0) sink(last as T)
      return top
    },
  }
}
