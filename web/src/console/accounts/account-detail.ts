import type { components } from '../../../../packages/client/src/index.ts'

export type AccountDetail = components['schemas']['OperatorAccountDetail']
/** An API key of the account. */
export type Key = AccountDetail['keys'][number]
