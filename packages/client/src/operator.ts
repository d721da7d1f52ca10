import { createCall } from './call.ts'
import type { ClientOptions } from './client-options.ts'
import { type Client, createClient, createMethods, readFile } from './create-client.ts'
import { OPERATOR_OPERATIONS } from './generated/operator-operations.ts'
import type { CallOptions, MethodsOf } from './methods.ts'

type OperatorMethods = MethodsOf<typeof OPERATOR_OPERATIONS>
type Extras = {
  readonly operator: {
    /** Downloads the statement as CSV. */
    statementFile(args: Parameters<OperatorMethods['operator']['statements']>[0], options?: CallOptions): Promise<Blob>
  }
}
export type OperatorClient = Client & OperatorMethods & Extras

/** The client with the operations of operators; a bundle for guests does not need them. */
export function createOperatorClient(options: ClientOptions): OperatorClient {
  const call = createCall(options)
  const { operator } = createMethods<OperatorMethods>(call, OPERATOR_OPERATIONS)
  const { statements } = OPERATOR_OPERATIONS.operator
  return {
    ...createClient(options),
    operator: {
      ...operator,
      statementFile(args, callOptions = {}) {
        const accept = 'text/csv'
        return call('operator.statements', statements, { ...args }, { ...callOptions, accept }, readFile(accept))
      },
    },
  }
}
