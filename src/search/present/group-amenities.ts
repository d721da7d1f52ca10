const UNGROUPED = 'Other'
const GENERAL = 'General'

/** Groups for amenities that the vendor sent without one, by words of their English names. The first match wins. */
const GROUPS: readonly (readonly [string, RegExp])[] = [
  ['Internet', /wi-?fi|internet|wlan/i],
  ['Accessibility', /accessib|wheelchair|braille|hearing|visual aid|grab (bar|rail)/i],
  ['Parking and transport', /parking|garage|valet|shuttle|transfer|charging|car (hire|rental)|bicycle|bike/i],
  ['Pool and wellness', /pool|spa\b|sauna|steam|massage|hot tub|jacuzzi|hammam|solarium|fitness|gym\b|wellness/i],
  ['Family', /child|kids|baby|family|crib|cot\b|playground/i],
  ['Pets', /\bpets?\b|\bdogs?\b/i],
  ['Business', /business|meeting|conference|banquet|fax|photocop/i],
  [
    'Food and drink',
    /restaurant|\bbar\b|breakfast|coffee|tea\b|minibar|kitchen|dining|snack|buffet|café|cafe|bbq|barbecue/i,
  ],
  [
    'Services',
    /reception|front desk|concierge|laundry|dry clean|luggage|room service|housekeeping|cash|exchange|check-?in|tour/i,
  ],
  ['Outdoors and activities', /garden|terrace|balcony|beach|tennis|golf|ski|bowling|billiard|diving|hiking/i],
  ['Comfort', /air[- ]?condition|heating|television|\btv\b|elevator|lift\b|safe\b|non-?smoking|hair ?dryer|iron/i],
]

/** Keeps the vendor's groups; the labels are English. */
export function groupAmenities(byGroup: Readonly<Record<string, readonly string[]>>): Record<string, string[]> {
  const grouped: Record<string, string[]> = {}
  for (const [group, labels] of Object.entries(byGroup))
    for (const label of labels) {
      const name = group === UNGROUPED ? findGroup(label) : group
      grouped[name] = [...new Set([...(grouped[name] ?? []), label])]
    }
  return grouped
}

const findGroup = (label: string): string => GROUPS.find(([, words]) => words.test(label))?.[0] ?? GENERAL
