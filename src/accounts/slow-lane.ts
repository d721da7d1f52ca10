const WAITING_MAX = 200

type Lane = Map<string, (mayStart: boolean) => void>

/**
 * Serialises attempts on one e-mail, with a pause before each. An address has one place, and the next one is drawn at random:
 * an attacker with many addresses delays the owner, but cannot keep a queue full.
 */
export function createSlowLane(pauseMs: number, random: () => number = Math.random) {
  const lanes = new Map<string, Lane>()

  /** Removes a random address from the lane. */
  function draw(lane: Lane, mayStart: boolean): void {
    const [address = '', decide] = [...lane][Math.floor(random() * lane.size)] ?? []
    lane.delete(address)
    decide?.(mayStart)
  }

  function drawAfterPause(key: string, lane: Lane): void {
    setTimeout(() => {
      draw(lane, true)
      if (lane.size === 0) lanes.delete(key)
      else drawAfterPause(key, lane)
    }, pauseMs)
  }

  return {
    /** False if the address has a place already, or lost it to another one because too many were waiting. */
    async enter(key: string, address: string): Promise<boolean> {
      const lane: Lane = lanes.get(key) ?? new Map()
      if (lane.has(address)) return false
      if (lane.size >= WAITING_MAX) draw(lane, false)
      const { promise, resolve } = Promise.withResolvers<boolean>()
      lane.set(address, resolve)
      if (!lanes.has(key)) drawAfterPause(key, lane)
      lanes.set(key, lane)
      return promise
    },
  }
}
