import { propertyLocationId } from '../../domain/property/property-location.ts'

/** Finds a property's row by its location id: an open-addressing hash table with 12 bytes per row, where a Map takes 60. */
export class LocationIds {
  readonly #readPropertyId: (row: number) => string
  /** Row + 1; 0 is free. */
  #slots = new Uint32Array(1024)
  /** The first 32 bits of each row's location id. */
  #prints = new Uint32Array(512)
  #count = 0

  constructor(readPropertyId: (row: number) => string) {
    this.#readPropertyId = readPropertyId
  }

  find(locationId: string): number | undefined {
    const print = fingerprint(locationId)
    for (let slot = print % this.#slots.length; ; slot = (slot + 1) % this.#slots.length) {
      const row = (this.#slots[slot] ?? 0) - 1
      if (row < 0) return undefined
      if (this.#prints[row] === print && propertyLocationId(this.#readPropertyId(row)) === locationId) return row
    }
  }

  /** Rows must be added in order from 0, each once. */
  add(locationId: string): void {
    if (this.#count * 2 >= this.#slots.length) this.#grow()
    this.#prints[this.#count] = fingerprint(locationId)
    this.#place(this.#count++)
  }

  #place(row: number): void {
    let slot = (this.#prints[row] ?? 0) % this.#slots.length
    while (this.#slots[slot] !== 0) slot = (slot + 1) % this.#slots.length
    this.#slots[slot] = row + 1
  }

  #grow(): void {
    this.#slots = new Uint32Array(this.#slots.length * 2)
    const prints = new Uint32Array(this.#slots.length / 2)
    prints.set(this.#prints)
    this.#prints = prints
    for (let row = 0; row < this.#count; row++) this.#place(row)
  }
}

const fingerprint = (locationId: string): number => Number.parseInt(locationId.slice(0, 8), 16)
