import type { PropertyKind, WorldBed } from '../contract.ts'

/** A kind of room, before a particular property gives it a size and a view. */
export type RoomKind = {
  readonly name: string
  readonly beds: readonly (readonly WorldBed[])[]
  readonly adults: number
  readonly children: number
  readonly sleeps: number
  /** Size and price relative to the smallest double of the property. */
  readonly size: number
  readonly price: number
  /** Minimum star rating of properties with such rooms. */
  readonly starsMin: number
  /** Share of the property's rooms. */
  readonly weight: number
}

/** name; beds (alternatives with /, together with +); adults+children/sleeps; size; price; stars from; weight */
const TABLES: Record<PropertyKind, string> = {
  hotel: `Single Room;1single/1double;1+0/1;0.8;0.82;1;8
Small Double;1double;2+0/2;0.88;0.92;1;12
Standard Double;1double/1queen;2+1/2;1;1;1;26
Twin Room;2twin;2+0/2;1;1.02;1;16
Superior Double;1queen/1king;2+1/3;1.18;1.2;2.5;16
Superior Twin;2twin;2+1/3;1.18;1.2;3;10
Triple Room;1double+1single/3single;3+1/3;1.3;1.34;1;8
Family Room;1double+2single/1queen+1bunk;2+3/4;1.55;1.55;2;7
Deluxe King;1king/2twin;2+2/3;1.42;1.48;3.5;10
Junior Suite;1king+1sofa;3+2/4;1.85;2.05;3.5;4
Executive Suite;1king+1sofa;3+2/4;2.4;2.9;4;3
Penthouse Suite;1king+1sofa/2queen;4+2/4;3.6;4.8;5;1`,
  apartment: `Studio;1double/2single;2+1/2;1;1;1;30
Superior Studio;1queen+1sofa;2+2/3;1.25;1.16;2.5;18
One-Bedroom Apartment;1queen+1sofa/2twin+1sofa;4+2/4;1.6;1.42;1;24
Loft Apartment;1king+1sofa;3+2/4;1.8;1.62;3;8
Two-Bedroom Apartment;1queen+2single/2double;4+3/5;2.3;2.02;1;16
Three-Bedroom Apartment;1king+1double+2single;6+3/7;3.1;2.85;3;5`,
  hostel: `Bed in 4-Bed Dormitory;1bunk;1+0/1;0.4;0.42;1;20
Bed in 6-Bed Dormitory;1bunk;1+0/1;0.34;0.36;1;26
Bed in 8-Bed Female Dormitory;1bunk;1+0/1;0.3;0.34;1;12
Private Single;1single;1+0/1;0.8;0.8;1;6
Private Double;1double;2+0/2;1;1;1;10
Private Twin with Bunk Beds;1bunk/2single;2+1/2;1;0.94;1;8
Private Four-Bed Room;2bunk;4+2/4;1.5;1.55;1;8`,
  guesthouse: `Single Room;1single;1+0/1;0.78;0.8;1;10
Double Room;1double/1queen;2+1/2;1;1;1;34
Twin Room;2single;2+1/2;1.02;1.02;1;18
Garden View Double;1queen;2+1/3;1.12;1.16;2;14
Triple Room;1double+1single;3+1/3;1.3;1.32;1;12
Family Room;1double+2single;2+3/4;1.6;1.55;1;8
Attic Suite;1king+1sofa;2+2/4;1.8;1.75;2.5;4`,
  resort: `Classic Double;1queen/2twin;2+1/3;1;1;1;24
Garden View Room;1king/2twin;2+2/3;1.08;1.1;1;22
Pool View Room;1king/2queen;2+2/4;1.12;1.22;1;18
Superior Room with Balcony;1king/2twin;3+2/4;1.25;1.36;3;14
Family Suite;1king+2single/2queen;4+3/5;1.75;1.7;3;10
Junior Suite;1king+1sofa;3+2/4;1.7;1.9;3.5;6
Private Villa;1king+2single/2king;4+3/6;3.2;3.4;4.5;3
Overwater Suite;1king;2+1/3;2.4;3.1;5;2`,
}

const parseTable = (text: string): RoomKind[] =>
  text.split('\n').map((row) => {
    const [name = '', beds = '', people = '', size, price, starsMin, weight] = row.split(';')
    const [adults = '2', children = '0', sleeps = '2'] = people.split(/[+/]/)
    return {
      name,
      beds: beds.split('/').map((set) => set.split('+').map(parseBed)),
      adults: Number(adults),
      children: Number(children),
      sleeps: Number(sleeps),
      size: Number(size),
      price: Number(price),
      starsMin: Number(starsMin),
      weight: Number(weight),
    }
  })

const parseBed = (text: string): WorldBed => ({ quantity: Number(text[0]), type: text.slice(1) as WorldBed['type'] })

export const ROOM_KINDS: Record<PropertyKind, readonly RoomKind[]> = {
  hotel: parseTable(TABLES.hotel),
  apartment: parseTable(TABLES.apartment),
  hostel: parseTable(TABLES.hostel),
  guesthouse: parseTable(TABLES.guesthouse),
  resort: parseTable(TABLES.resort),
}
