import type { VendorProperty } from '../../domain/property/property.ts'
import { CATALOGUE_LANGUAGE, type PropertyTexts } from '../../domain/property/property-texts.ts'

export type TextLanguages = { readonly byeLine: string; readonly description: string; readonly amenities: string }

export const ENGLISH_TEXTS: TextLanguages = {
  byeLine: CATALOGUE_LANGUAGE,
  description: CATALOGUE_LANGUAGE,
  amenities: CATALOGUE_LANGUAGE,
}

/** Replaces each text by the longest one in another language, or keeps English. */
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

/** First of the longest texts; undefined if all are empty. */
function longest(texts: readonly PropertyTexts[], length: (texts: PropertyTexts) => number | undefined) {
  return texts
    .filter((candidate) => (length(candidate) ?? 0) > 0)
    .reduce<PropertyTexts | undefined>(
      (best, next) => (((best && length(best)) ?? 0) >= (length(next) ?? 0) ? best : next),
      undefined,
    )
}
