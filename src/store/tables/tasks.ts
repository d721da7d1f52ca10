/** Background work. A task is deleted once it is done. */
export type TaskRow = {
  kind: 'settle' | 'read' | 'list' | 'webhook' | 'mail' | 'content' | 'match'
  subject: string
  /** Tasks with the same key share a limit: a vendor's, or those of one webhook. */
  key: string
  /** The lease's end while a process works on it, unless the task was put again meanwhile. */
  due_at: number
  lease_until: number
  /** Claims so far. */
  attempts: number
  /** Attempts that failed in a row. */
  failures: number
  /** When the work was first asked for. */
  since: number
  /** JSON of the kind's own. */
  payload: string | null
}
