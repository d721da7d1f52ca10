import type { AppError } from '../../domain/errors.ts'
import type { ProblemMembers } from '../../http/problem.ts'
import { localName } from '../../locations/present.ts'
import { NoVendorAnswered } from '../search-stays.ts'
import { LocationTooLarge } from '../search-terms.ts'
import { presentVendor } from './search.ts'

export function searchProblemMembers(error: AppError): ProblemMembers {
  if (error instanceof NoVendorAnswered) return { vendors: error.vendors.map(presentVendor) }
  if (error instanceof LocationTooLarge) {
    const { chooseInstead, language } = error
    return {
      choose_instead: chooseInstead.map((place) => ({
        id: place.id,
        name: localName(place, language),
        type: place.type,
      })),
    }
  }
  return {}
}
