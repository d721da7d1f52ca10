import type { components } from '../../../../packages/client/src/index.ts'

export type Entry = components['schemas']['AttentionEntry']
