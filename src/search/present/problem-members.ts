import type { AppError } from '../../domain/errors.ts'
import type { ProblemMembers } from '../../http/problem.ts'
import { NoVendorAnswered } from '../search-stays.ts'
import { LocationTooLarge } from '../search-terms.ts'
import { presentVendor } from './search.ts'

export function searchProblemMembers(error: AppError): ProblemMembers {
  if (error instanceof NoVendorAnswered) return { vendors: error.vendors.map(presentVendor) }
  if (error instanceof LocationTooLarge)
    return { choose_instead: error.chooseInstead.map(({ id, name, type }) => ({ id, name, type })) }
  return {}
}
