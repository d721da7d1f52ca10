export type Listener = () => void

/** Who is told when something changes that components show. */
export function createListeners() {
  const listeners = new Set<Listener>()
  return {
    tell(): void {
      for (const listener of listeners) listener()
    },
    /** Answers how to be told no more. */
    subscribe(listener: Listener): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
