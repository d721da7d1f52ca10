/**
 * Runs the tasks in their order, some of them ahead of the reader, because a search may be waiting for their results. The first runs
 * alone, because others would delay it on a busy machine.
 */
export async function* readAhead<T>(tasks: readonly (() => Promise<T>)[], ahead: number): AsyncGenerator<T> {
  const running: Promise<T>[] = []
  let started = 0
  for (let next = 0; next < tasks.length; next += 1) {
    for (; started < Math.min(tasks.length, next === 0 ? 1 : next + ahead); started += 1) {
      const answer = tasks[started]?.()
      if (answer === undefined) break
      // A failure is thrown when its turn comes; until then it must not count as unhandled.
      answer.catch(() => {})
      running.push(answer)
    }
    const first = running.shift()
    if (first !== undefined) yield await first
  }
}

/** Size of the first content page of an area: small, so that a waiting search can ask for prices early. */
export const FIRST_OF_AREA = 50
