import type { AmenitySlug } from '../../../src/domain/property/amenity.ts'
import type { PropertyKind } from '../contract.ts'
import type { Setting } from '../places/destinations.ts'

/** `{name}` is the property, `{place}` the town, `{quarter}` its part, `{kind}` the kind of property. */
export const OPENINGS: Record<Setting, readonly string[]> = {
  city: [
    '{name} stands in the {quarter} quarter of {place}, on a street where the cafés open early and the traffic goes elsewhere.',
    'A few minutes on foot from the busiest corners of {place}, {name} keeps its windows on the quieter side.',
    'From {name} you can cross {place} by tram, by bicycle or, best of all, on foot: most of what people come for lies within two kilometres.',
    'Between the offices and the old lanes of {place}, {name} has found a corner of the {quarter} quarter that belongs to the people who live there.',
    'Guests of {name} step out of the door and are already in the middle of {place}: shops to the left, a small square with trees to the right.',
    'The {quarter} quarter is where {place} goes for dinner, and {name} is close enough to hear it happen, yet far enough to sleep.',
    'Ask for directions in {place} and sooner or later somebody points past {name}: it is that kind of address.',
    'The façade of {name} has looked over this part of {place} for a long time; what lies behind it was made new not long ago.',
  ],
  beach: [
    'The sea begins where the street of {name} ends. In {place} nobody needs an alarm clock: the light off the water does it.',
    '{name} looks over the shore at {place}, with the sand a short walk away and the promenade even nearer.',
    'Salt in the air, shutters half closed at noon, dinner outside until late: {name} lives by the rhythm of {place}.',
    'Between the beach and the lanes of {place}, {name} gives its guests the choice every morning.',
    'You hear the waves from {name} once the last bar in {place} has closed, and until then you hear the bar.',
    'Most days at {name} follow the sun: breakfast on the east side, the beach of {place} till four, a shady table after that.',
    '{place} has grown around its bay, and {name} kept one of the good places, with water in view and a breeze in the afternoon.',
  ],
  mountain: [
    'In front of {name} the meadow climbs until it turns into rock. {place} lies at the foot of it, five minutes down the path.',
    '{name} is the sort of house that smells of wood and soup when you come in from the cold, right in {place}.',
    'The first lift of {place} starts so near to {name} that some guests walk over in their ski boots.',
    'Snow on the ridge until June, cowbells until October: from the windows of {name} the year in {place} is easy to read.',
    'Set a little above the roofs of {place}, {name} gets the sun an hour before everybody else.',
    'Hikers leave {name} at seven and come back hungry; everyone else discovers the terrace, with all of {place} below.',
  ],
  village: [
    '{name} stands near the church in {place}, where the baker knows everybody and the road has little to do after six.',
    'There is not much noise in {place}: swifts, a tractor, the bell. {name} has made a virtue of it.',
    'A garden wall, an old tree, a door that is usually open: {name} is easy to find in {place} and hard to leave in a hurry.',
    'Travellers have been stopping in {place} for generations, and {name} takes them in the way it always has, only with better beds.',
    'Fields begin behind {name}, and the market square of {place} lies in front of it; you need the car for neither.',
    'People come to {name} for one night on the way south and remember {place} for the morning after.',
    'Between orchards and the lanes of {place}, {name} offers the quiet that cities advertise and villages have.',
  ],
}

export const CHARACTERS: Record<PropertyKind, readonly string[]> = {
  hotel: [
    'The people at the desk have mostly been here for years, and it shows in the small things.',
    'It is a house of middle size: large enough to be left alone, small enough to be recognised.',
    'Business travellers fill it in the week, couples and families from Friday on.',
    'Nothing is far away inside either: one staircase, one corridor to a floor, and a quiet lounge downstairs.',
    'Much of the furniture was made for the house, and the pictures on the walls come from the region.',
  ],
  apartment: [
    'You get a door of your own, a key, and the freedom to eat breakfast at noon.',
    'Each apartment was furnished for living rather than for looking at: sharp knives, a proper table, enough hooks.',
    'Staying longer is what the place is made for; after three days most guests know the grocer by name.',
    'The apartments are cleaned weekly, and more often for a small charge.',
  ],
  hostel: [
    'The common room is where plans change: there is always somebody who has just come from where you are going.',
    'Beds have curtains, a lamp, a shelf and two sockets, and the lockers take a full rucksack.',
    'The crew lives in the house and knows which bus, which trail and which dumplings.',
    'It is lively until eleven and, by agreement, quiet after that.',
  ],
  guesthouse: [
    'The owners live upstairs and carry the tray themselves.',
    'There are only a handful of rooms, no two alike, and the same family has run them for three generations.',
    'Shoes are left in the hall, the cat decides where it sleeps, and the coffee is strong.',
    'It feels like visiting friends who happen to have a spare room and good linen.',
  ],
  resort: [
    'Paths lead from the main house through the grounds to quiet corners that even regular guests find late.',
    'You could spend a week without leaving the grounds, and quite a few guests do.',
    'Children have their own hours and their own pool, which leaves the other one for reading.',
    'Buggies hum along the paths in the morning; by noon everybody has found a shade and stays there.',
  ],
}

/** By class of the property: simple, comfortable, grand. */
export const ROOMS_TEXTS: Record<'simple' | 'comfortable' | 'grand', readonly string[]> = {
  simple: [
    'The {count} kinds of rooms are plain and clean: a good mattress, a window that opens, hot water at once.',
    'Rooms are small and well thought out, with hooks where you want them and light where you read.',
    'Do not expect a wardrobe for a month; do expect fresh linen, a firm bed and a dark night.',
    'Everything in the rooms has a purpose, and everything works.',
  ],
  comfortable: [
    'Rooms come in {count} kinds, from {smallest} m² up; all have a proper desk, good reading light and curtains that really close.',
    'The rooms were redone in calm colours, with wooden floors and bathrooms that have more shelf than usual.',
    'From the smallest, at {smallest} m², to the largest, at {largest} m², rooms are bright and kept with care.',
    'Beds are wide, pillows come in two kinds, and the windows are glazed well enough to forget the street.',
    'Among the {count} kinds of rooms the ones on the upper floors are the brightest; those to the back are the quietest.',
  ],
  grand: [
    'Rooms begin at {smallest} m² and end with suites of {largest} m²; linen, stone and dark wood set the tone.',
    'The {count} kinds of rooms share high ceilings, marble bathrooms and a silence that took some engineering.',
    'Somebody has thought about every switch: one by the bed puts the whole room to sleep.',
    'Turned-down beds in the evening, fresh flowers on the desk, and a bath long enough to lie in.',
    'Suites of up to {largest} m² have a sitting room of their own, and even the smallest room has space for an armchair by the window.',
  ],
}

/** Sentences about amenities that a property really has. */
export const PRAISE: Partial<Record<AmenitySlug, readonly string[]>> = {
  restaurant: [
    'The restaurant cooks what the market had in the morning and keeps the menu short.',
    'Dinner is served in the house restaurant, where neighbours from the street take half of the tables.',
    'In the restaurant the kitchen is open, and so is the talk between cooks and guests.',
  ],
  bar: [
    'The bar pours regional wines by the glass and closes when the last guest goes.',
    'Downstairs, the bar is the place for the hour before dinner.',
    'A small bar mixes the classics without fuss.',
  ],
  breakfast: [
    'Breakfast is a buffet with warm bread, eggs to order and fruit that tastes of something.',
    'Breakfast is served until half past ten, later on Sundays.',
    'In the morning there is coffee from a proper machine, cheese, jam from the region and something baked.',
  ],
  outdoor_pool: [
    'The outdoor pool is long enough for swimming, not only for standing in.',
    'Around the outdoor pool there are more loungers than people for most of the day.',
  ],
  indoor_pool: [
    'An indoor pool, heated all year, opens at seven.',
    'The indoor pool lies under a glass roof, warm and quiet.',
  ],
  spa: [
    'The spa has a sauna, a steam bath and three rooms for treatments.',
    'Below the house a spa waits with warm stone, dim light and people who know what a shoulder is.',
  ],
  fitness: [
    'A gym with weights and machines is open round the clock.',
    'The fitness room is small, bright and well kept.',
  ],
  garden: [
    'Behind the house a garden with old trees is open to all guests.',
    'The garden has chairs in the sun and in the shade.',
  ],
  beachfront: [
    'A path leads straight down to the beach.',
    'The beach lies in front of the house, with parasols for guests.',
  ],
  ski: [
    'Skis stay in a heated room and are dry in the morning.',
    'The ski bus stops at the door; a heated room takes the boots.',
  ],
  golf: ['Golfers find a course nearby, with reduced green fees for guests.'],
  casino: ['A casino in the building opens in the late afternoon.'],
  business: [
    'Three meeting rooms with daylight take groups of up to sixty.',
    'Meeting rooms with daylight can be had by the hour.',
  ],
}

export const PRACTICAL: Partial<Record<AmenitySlug, readonly string[]>> = {
  free_parking: ['Parking at the house is free.', 'There is a car park behind the house, free for guests.'],
  parking: ['Cars find a place in the garage for a daily charge.', 'Parking is possible nearby at a daily rate.'],
  ev_charging: ['Electric cars can be charged on the spot.', 'Two posts charge electric cars overnight.'],
  airport_shuttle: ['A shuttle meets flights on request.', 'The house runs a shuttle to the airport.'],
  front_desk_24h: ['Reception is staffed day and night.', 'Somebody is at the desk at any hour.'],
  pets: ['Dogs are welcome if they are told the day before.', 'Pets may stay for a small charge.'],
  wheelchair: [
    'Entrance, lift and several rooms are made for wheelchairs.',
    'The ground floor and some rooms have step-free access.',
  ],
  family: ['Families get connecting rooms, cots and high chairs.', 'Cots are free, and so are small children.'],
  laundry: ['Laundry given in by nine is back in the evening.', 'There is a laundry for guests.'],
  wifi: ['Wi-Fi is free and reaches the last room.', 'Wi-Fi is free throughout the house.'],
  elevator: ['A lift goes to all floors.'],
}

/** After the class and the kind of property ("Four-star hotel …"). */
export const HEADLINES: Record<Setting, readonly string[]> = {
  city: [
    'in the heart of {place}',
    'in {place}, {quarter}',
    'within walking distance of everything in {place}',
    'on a quiet street of {place}',
  ],
  beach: [
    'by the sea in {place}',
    'close to the beach of {place}',
    'with a sea breeze in {place}',
    'steps from the water in {place}',
  ],
  mountain: [
    'with mountain views in {place}',
    'near the lifts of {place}',
    'in the mountains at {place}',
    'above the roofs of {place}',
  ],
  village: [
    'in the village of {place}',
    'in the calm of {place}',
    'among gardens in {place}',
    'on the square of {place}',
  ],
}
