import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What nothing holds any more is gone after it, as it is in a process that has run for a while. */
export function collectGarbage(): void {
  setFlagsFromString('--expose_gc')
  ;(runInNewContext('gc') as () => void)()
}
