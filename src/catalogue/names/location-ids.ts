import { propertyLocationId } from '../../domain/property/property-location.ts'

/**
 * From the location id of a property to its row. The id is a hash, so it cannot be read backwards; an open hash table over
 * its first 32 bits takes 12 bytes for each row, where a Map would take sixty.
 */
export class LocationIds {
  readonly #propertyIdOf: (row: number) => string
  /** Row + 1; 0 is free. */
  #slots = new Uint32Array(1024)
  /** The first 32 bits of each row's location id. */
  #prints = new Uint32Array(512)
  #count = 0

  constructor(propertyIdOf: (row: number) => string) {
    this.#propertyIdOf = propertyIdOf
  }

  find(locationId: string): number | undefined {
    const print = printOf(locationId)
    for (let at = print % this.#slots.length; ; at = (at + 1) % this.#slots.length) {
      const row = (this.#slots[at] ?? 0) - 1
      if (row < 0) return undefined
      if (this.#prints[row] === print && propertyLocationId(this.#propertyIdOf(row)) === locationId) return row
    }
  }

  /** Rows come in order, from 0 on; none may be there already. */
  add(locationId: string): void {
    if (this.#count * 2 >= this.#slots.length) this.#grow()
    this.#prints[this.#count] = printOf(locationId)
    this.#place(this.#count++)
  }

  #place(row: number): void {
    let at = (this.#prints[row] ?? 0) % this.#slots.length
    while (this.#slots[at] !== 0) at = (at + 1) % this.#slots.length
    this.#slots[at] = row + 1
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    const prints = new Uint32Array(this.#slots.length / 2)
    prints.set(this.#prints)
    this.#prints = prints
    for (let row = 0; row < this.#count; row++) this.#place(row)
  }
}

const printOf = (locationId: string): number => Number.parseInt(locationId.slice(0, 8), 16)
