import type { components } from '../../../../packages/client/src/index.ts'

type Reason = components['schemas']['PropertyComparison']['reasons'][number]

/** Reasons why two properties were not joined. */
const REASONS: Readonly<Record<Reason, string>> = {
  too_weak: 'The certainty is below 79 %.',
  same_vendor: 'Both have a record of the same vendor; a property has one of each.',
  kept_separate: 'An operator keeps them separate.',
  not_judged_yet: 'Both existed before they were compared. Join them, or run “serai catalogue rejudge --again”.',
  duplicate_entry: 'One is a second entry of its vendor for another property.',
  other_names: 'Another record of the property has a name that contradicts.',
  equal_claim: 'A neighbour matches as well, so it is not certain which one is meant.',
  too_far: 'They are more than 1.5 km apart.',
  too_far_for_names: 'They are more than 800 m apart and their names are not equal.',
  names_exclude: 'Their names exclude each other.',
  names_differ: 'Their names differ, and the telephone is not the same.',
  other_brand: 'They belong to different brands.',
}

export const describeSeparation = (reason: Reason | null): string =>
  reason === null ? 'Unknown until the next matching run.' : REASONS[reason]

/** Reasons of near matches, as options of a filter. */
const NEAR: readonly Reason[] = [
  'too_weak',
  'same_vendor',
  'kept_separate',
  'not_judged_yet',
  'duplicate_entry',
  'other_names',
  'equal_claim',
]

export const REASON_OPTIONS: readonly (readonly [value: string, label: string])[] = [
  ['', 'Any reason'],
  ...NEAR.map((reason) => [reason, REASONS[reason]] as const),
]
