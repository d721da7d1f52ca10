/** One deadline shared by every step of a request. */
type Deadline = { readonly signal: AbortSignal; [Symbol.dispose](): void }

/** Also aborts early when `parent` aborts (the client disconnected). */
export function startDeadline(timeoutMs: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(new DOMException('deadline passed', 'TimeoutError')), timeoutMs)
  const onParent = () => controller.abort(parent?.reason)
  if (parent?.aborted) onParent()
  else parent?.addEventListener('abort', onParent, { once: true })
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      parent?.removeEventListener('abort', onParent)
    },
  }
}

/** Resolves to undefined if the signal aborts first; a later rejection of the promise is ignored. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  promise.catch(() => undefined)
  const aborted = Promise.withResolvers<undefined>()
  const onAbort = () => aborted.resolve(undefined)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Undefined if the work takes longer; it continues. */
export async function unlessLate<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  using deadline = startDeadline(ms)
  return await unlessAborted(promise, deadline.signal)
}
