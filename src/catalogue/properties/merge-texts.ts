import type { VendorProperty } from '../../domain/property/property.ts'
import { CATALOGUE_LANGUAGE, type PropertyTexts } from '../../domain/property/property-texts.ts'

/** The language of each text of a property. */
export type TextLanguages = { readonly byeLine: string; readonly description: string; readonly amenities: string }

export const ENGLISH_TEXTS: TextLanguages = {
  byeLine: CATALOGUE_LANGUAGE,
  description: CATALOGUE_LANGUAGE,
  amenities: CATALOGUE_LANGUAGE,
}

/** The merged description with the texts of another language: each text from the vendor that says the most in it, or in English. */
export function mergeTexts(
  merged: VendorProperty,
  all: Iterable<PropertyTexts>,
): { readonly merged: VendorProperty; readonly languages: TextLanguages } {
  const texts = [...all]
  const byeLine = longest(texts, ({ byeLine: text }) => text?.length)
  const description = longest(texts, ({ description: text }) => text?.length)
  const amenities = longest(texts, ({ amenitiesByCategory: lists }) => lists && Object.values(lists).flat().length)
  return {
    merged: {
      ...merged,
      byeLine: byeLine?.byeLine ?? merged.byeLine,
      description: description?.description ?? merged.description,
      amenitiesByCategory: amenities?.amenitiesByCategory ?? merged.amenitiesByCategory,
    },
    languages: {
      byeLine: byeLine?.language ?? CATALOGUE_LANGUAGE,
      description: description?.language ?? CATALOGUE_LANGUAGE,
      amenities: amenities?.language ?? CATALOGUE_LANGUAGE,
    },
  }
}

/** The first of those with the most; undefined where none has any. */
function longest(texts: readonly PropertyTexts[], length: (of: PropertyTexts) => number | undefined) {
  return texts
    .filter((one) => (length(one) ?? 0) > 0)
    .reduce<PropertyTexts | undefined>(
      (best, one) => (((best && length(best)) ?? 0) >= (length(one) ?? 0) ? best : one),
      undefined,
    )
}
