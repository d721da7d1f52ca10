import type { WorldProperty } from '../../world/contract.ts'
import { hash } from '../../world/hash.ts'

type Bilingual = { readonly english: string; readonly german: string }

const IMPORTANT: Bilingual = {
  english: 'A damage deposit of 50 is collected on arrival.\nPlease tell the property your time of arrival.',
  german: 'Bei der Ankunft wird eine Kaution von 50 erhoben.\nBitte teilen Sie die Ankunftszeit mit.',
}
const INSTRUCTIONS: Bilingual = {
  english: '<ul><li>An identity document is asked for</li></ul>',
  german: '<ul><li>Ein Ausweis wird verlangt</li></ul>',
}
const SPECIAL: Bilingual = {
  english: 'The code of the door is sent three days before arrival.',
  german: 'Der Türcode kommt drei Tage vor der Anreise.',
}
const PARKING: Bilingual = {
  english: 'Public parking is possible nearby and costs 20 per day.\n',
  german: 'Öffentliche Parkplätze in der Nähe kosten 20 pro Tag.\n',
}
const PETS: Bilingual = { english: 'Pets are not allowed.\n', german: 'Haustiere sind nicht erlaubt.\n' }

/** Guest information in the long format of a property; each text is missing for a third of the properties. */
export function listNotices(property: WorldProperty, isGerman: boolean) {
  const pickText = ({ english, german }: Bilingual, salt: number) =>
    hash(property.key, salt) % 3 === 0 ? '' : isGerman ? german : english
  const presentPolicy = (type: string, name: Bilingual, text: string) =>
    text === ''
      ? []
      : [
          {
            policy_type: type,
            name: isGerman ? name.german : name.english,
            description: text,
            child_allowed: '',
            pets_allowed: '',
            parking: '',
          },
        ]
  const instructions = pickText(INSTRUCTIONS, 78)
  return {
    important: pickText(IMPORTANT, 79),
    instructions: instructions === '' ? [] : [instructions],
    special: pickText(SPECIAL, 80),
    policies: [
      ...presentPolicy('POLICY_HOTEL_PARKING', { english: 'Parking', german: 'Parken' }, pickText(PARKING, 81)),
      ...presentPolicy('POLICY_HOTEL_PETS', { english: 'Pets', german: 'Haustiere' }, pickText(PETS, 82)),
    ],
  }
}
