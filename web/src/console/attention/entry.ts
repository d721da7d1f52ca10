import type { components } from '../../../../packages/client/src/index.ts'

/** One thing that needs an operator. */
export type Entry = components['schemas']['AttentionEntry']
