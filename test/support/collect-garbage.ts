import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function collectGarbage(): void {
  setFlagsFromString('--expose_gc')
  ;(runInNewContext('gc') as () => void)()
}
