import type { components } from '../../../../packages/client/src/index.ts'

export type Difference = components['schemas']['ReconciliationDifference']
