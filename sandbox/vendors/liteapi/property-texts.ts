import type { WorldProperty } from '../../world/contract.ts'
import { hash } from '../../world/hash.ts'

type Both = { readonly english: string; readonly german: string }

const IMPORTANT: Both = {
  english: 'A damage deposit of 50 is collected on arrival.\nPlease tell the property your time of arrival.',
  german: 'Bei der Ankunft wird eine Kaution von 50 erhoben.\nBitte teilen Sie die Ankunftszeit mit.',
}
const INSTRUCTIONS: Both = {
  english: '<ul><li>An identity document is asked for</li></ul>',
  german: '<ul><li>Ein Ausweis wird verlangt</li></ul>',
}
const SPECIAL: Both = {
  english: 'The code of the door is sent three days before arrival.',
  german: 'Der Türcode kommt drei Tage vor der Anreise.',
}
const PARKING: Both = {
  english: 'Public parking is possible nearby and costs 20 per day.\n',
  german: 'Öffentliche Parkplätze in der Nähe kosten 20 pro Tag.\n',
}
const PETS: Both = { english: 'Pets are not allowed.\n', german: 'Haustiere sind nicht erlaubt.\n' }

/** What the long form of a property has for guests to read. A third of the properties leaves each of it out. */
export function textsToRead(property: WorldProperty, isGerman: boolean) {
  const textOf = ({ english, german }: Both, salt: number) =>
    hash(property.key, salt) % 3 === 0 ? '' : isGerman ? german : english
  const policyOf = (type: string, name: Both, text: string) =>
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
  const instructions = textOf(INSTRUCTIONS, 78)
  return {
    important: textOf(IMPORTANT, 79),
    instructions: instructions === '' ? [] : [instructions],
    special: textOf(SPECIAL, 80),
    policies: [
      ...policyOf('POLICY_HOTEL_PARKING', { english: 'Parking', german: 'Parken' }, textOf(PARKING, 81)),
      ...policyOf('POLICY_HOTEL_PETS', { english: 'Pets', german: 'Haustiere' }, textOf(PETS, 82)),
    ],
  }
}
