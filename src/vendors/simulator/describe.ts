import { amenityLabel } from '../../domain/property/amenity.ts'
import type { Image, RoomContent, VendorProperty } from '../../domain/property/property.ts'
import { listRoomKinds, type RoomKind } from './models.ts'
import { draw, drawFraction, type SimulatorId, type Site, toVendorPropertyId } from './sites.ts'

/** Properties with more stars are rated better. */
export function describeSimulatedProperty(vendorId: SimulatorId, site: Site): VendorProperty {
  const { propertyId, model } = site
  const labels = model.amenities.map(amenityLabel)
  const count = 20 + (draw('reviews', propertyId) % 1_400)
  const mark = Number((3.6 + model.stars * 0.14 + drawFraction('liked', propertyId) * 0.5).toFixed(1))
  return {
    vendorId,
    vendorPropertyId: toVendorPropertyId(vendorId, propertyId),
    name: model.name,
    byeLine: model.byeLine,
    category: model.category,
    chain: '',
    description: `<p>${model.byeLine}.</p><p>A simulated property: it stands nowhere, and booking it costs nothing.</p>`,
    starRating: model.stars,
    guestRatings: {
      amenities: mark,
      cleanliness: mark,
      comfort: mark,
      condition: mark,
      overall: mark,
      service: mark,
      count,
    },
    reviewCount: count,
    images: SCENES.map((_, index) => drawImage(propertyId, index, index === 0)),
    location: site.point,
    address: {
      line1: `${1 + (draw('street', propertyId) % 140)} Market Street`,
      line2: '',
      city: 'Simulated Town',
      region: '',
      postalCode: '',
      countryCode: '',
    },
    phone: '',
    popularAmenities: labels.slice(0, 6),
    amenitiesByCategory: { Amenities: labels },
    amenitySlugs: model.amenities,
    checkInTime: '15:00',
    checkOutTime: '11:00',
    rooms: listRoomKinds(model).map((kind) => describeRoom(vendorId, site, kind)),
  }
}

/** One vendor lists amenities by id, the other by category: clients must support both formats. */
export function describeRoom(vendorId: SimulatorId, { propertyId }: Site, kind: RoomKind): RoomContent {
  return {
    id: kind.id,
    name: kind.name,
    description: `${kind.name} with ${kind.beds.join(' and ').toLowerCase()}.`,
    squareMeters: kind.squareMeters,
    squareFeet: Math.round(kind.squareMeters * 10.764),
    sleeps: kind.sleeps,
    beds: kind.beds,
    images: [drawImage(`${propertyId}${kind.id}`, 1, true)],
    amenities: vendorId === 'simulator_a' ? BY_ID : BY_CATEGORY,
  }
}

const BY_ID: RoomContent['amenities'] = {
  '1010': { id: '1010', name: 'Free Wi-Fi', categories: ['internet'] },
  '1011': { id: '1011', name: 'Air conditioning' },
  '1012': { id: '1012', name: 'Hair dryer', categories: ['bathroom'] },
}
const BY_CATEGORY: RoomContent['amenities'] = {
  Bathroom: [
    { id: '60-10', name: 'Shower' },
    { id: '60-30', name: 'Hair dryer' },
  ],
  Room: [
    { id: '60-100', name: 'Wi-Fi', value: 'free of charge' },
    { id: '60-170', name: 'Air conditioning' },
  ],
}

const COLOURS = ['%23b5654a', '%23d8b98a', '%236d8ba6', '%23938fa8', '%2387a07c']
const SCENES = [
  { caption: 'The property from outside', shape: 'M30 90V30h60v60zM42 42h10v12H42zm26 0h10v12H68zM52 68h16v22H52z' },
  { caption: 'Room', shape: 'M14 90V50h8v18h76V58h8v32h-8V78H22v12zM26 54h26v10H26z' },
  { caption: 'Lobby', shape: 'M10 90h100v-6H10zM24 84V60h30v24zM70 84V40h6v44zM60 40l13-22 13 22z' },
] as const

/** An inline data URL of about 250 bytes, so that clients fetch nothing. */
function drawImage(seed: string, scene: number, hero: boolean): Image {
  const { caption = '', shape = '' } = SCENES[scene] ?? {}
  const colour = COLOURS[draw('colour', seed) % COLOURS.length]
  const svg =
    `%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 120 90'%3E%3Cpath fill='%23e8eef2' d='M0 0h120v90H0z'/%3E` +
    `%3Cpath fill='${colour}' fill-rule='evenodd' d='${shape}'/%3E%3C/svg%3E`
  const url = `data:image/svg+xml,${svg.replaceAll(' ', '%20')}`
  return { caption, hero, hi: url, med: url, lo: url }
}
