import { ApiProblem } from '../api/problem.ts'
import type { PageConfig } from '../api/shapes.ts'

const TIMEOUT_MS = 10_000
const RETRY_WAITS_MS = [300, 1_000, 3_000] as const

const ADDRESS = '/page-config.json'

/**
 * Retries, then throws: a failed read must not be taken for signed out. The first read reuses the response that the HTML
 * preloads, unless the session has changed since (`isChanged`).
 */
export async function readPageConfig(
  isChanged = false,
  waitsMs: readonly number[] = RETRY_WAITS_MS,
): Promise<PageConfig> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await fetchPageConfig(isChanged ? `${ADDRESS}?changed` : readPreloadedAddress())
    } catch (error) {
      const waitMs = waitsMs[tries]
      if (waitMs === undefined) throw new ApiProblem(0, { code: 'unreachable', detail: String(error) })
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}

/** On pages that search at once, the query also starts a guest session. */
const readPreloadedAddress = (): string =>
  document.querySelector('link[rel="preload"][as="fetch"]')?.getAttribute('href') ?? ADDRESS

async function fetchPageConfig(address: string): Promise<PageConfig> {
  const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return (await response.json()) as PageConfig
}
