declare module 'autocannon' {
  type Request = {
    readonly method: 'GET' | 'POST'
    readonly path: string
    readonly body?: string
    readonly headers?: Record<string, string>
  }
  type Options = {
    url: string
    connections?: number
    duration?: number
    amount?: number
    headers?: Record<string, string>
    requests?: readonly Request[]
  }
  type Result = {
    non2xx: number
    errors: number
    requests: { average: number; total: number }
    latency: { p50: number; p99: number }
  }
  export default function autocannon(options: Options): Promise<Result>
}
