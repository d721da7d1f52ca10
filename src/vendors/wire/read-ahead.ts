/**
 * Runs the tasks in order, some of them ahead of the reader. The first runs alone, because a search may be waiting for
 * it and others would delay it on a busy machine.
 */
export async function* readAhead<T>(tasks: readonly (() => Promise<T>)[], ahead: number): AsyncGenerator<T> {
  const running: Promise<T>[] = []
  let started = 0
  for (let next = 0; next < tasks.length; next += 1) {
    for (; started < Math.min(tasks.length, next === 0 ? 1 : next + ahead); started += 1) {
      const answer = tasks[started]?.()
      if (answer === undefined) break
      // A rejection is handled when the reader gets there; until then it must not be unhandled.
      answer.catch(() => {})
      running.push(answer)
    }
    const first = running.shift()
    if (first !== undefined) yield await first
  }
}

/** Small, so that a waiting search can request prices early. */
export const AREA_FIRST_PAGE_SIZE = 50
