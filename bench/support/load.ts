import autocannon from 'autocannon'

/** Requests a second that were answered with 2xx. */
export async function requestsPerSecond(
  url: string,
  paths: readonly string[],
  options: { headers?: Record<string, string>; seconds: number; connections?: number },
): Promise<number> {
  const result = await autocannon({
    url,
    connections: options.connections ?? 16,
    duration: options.seconds,
    headers: options.headers ?? {},
    requests: paths.map((path) => ({ method: 'GET' as const, path })),
  })
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers of ${url}${paths[0]} were not 2xx`)
  return result.requests.average
}
