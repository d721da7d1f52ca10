import type { TestApp } from './app.ts'

export const OPERATOR = { email: 'operator@example.com', password: 'a long enough password' }

/** Adds an operator and returns their token. */
export async function operatorToken(app: Pick<TestApp, 'manageAccounts' | 'signIn'>): Promise<string> {
  await app.manageAccounts.add(OPERATOR.email, 'Operator', OPERATOR.password, 'operator')
  return app.signIn(OPERATOR)
}
