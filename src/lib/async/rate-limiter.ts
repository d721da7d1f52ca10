/** `quota` units in `windowMs`, counted in whole seconds. */
export type Allowance = { readonly quota: number; readonly windowMs: number }
type Spent = { readonly left: number; readonly isExceeded: boolean; readonly resetInMs: number }

export type RateLimiter = {
  readonly name: string
  readonly allowance: Allowance
  /** Takes `cost` units from the key's allowance and returns what is left. */
  spend(key: string, cost: number): Promise<Spent>
  /** Allowance that is left, without taking any. */
  read(key: string): Promise<Omit<Spent, 'isExceeded'>>
}
