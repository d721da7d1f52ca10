const WAITING_MAX = 30

/** Serialises attempts on one e-mail, with a pause between them. */
export function createSlowLane(pauseMs: number) {
  const lanes = new Map<string, { waiting: number; last: Promise<void> }>()
  return {
    /** False if too many are waiting. */
    async enter(key: string): Promise<boolean> {
      const lane = lanes.get(key) ?? { waiting: 0, last: Promise.resolve() }
      if (lane.waiting >= WAITING_MAX) return false
      lane.waiting += 1
      lanes.set(key, lane)
      lane.last = lane.last.then(() => new Promise((later) => setTimeout(later, pauseMs)))
      await lane.last
      lane.waiting -= 1
      if (lane.waiting === 0) lanes.delete(key)
      return true
    },
  }
}
