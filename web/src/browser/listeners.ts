export type Listener = () => void

export function createListeners() {
  const listeners = new Set<Listener>()
  return {
    notify(): void {
      for (const listener of listeners) listener()
    },
    /** Returns a function that unsubscribes. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
