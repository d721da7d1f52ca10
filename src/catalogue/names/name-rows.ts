type RowWords = {
  readonly first: number
  readonly name: readonly number[]
  readonly town: readonly number[]
  readonly fame: number
}

/** The words of every property's name, as numbers, in columns: a million names take some forty megabytes. */
export class NameRows {
  count = 0
  /** Where in `words` the row's words begin: first those of its name, then those of its town. */
  start = new Uint32Array(1024)
  nameWords = new Uint8Array(1024)
  /** How many of those are the first vendor's name; the others are what other vendors add. */
  firstWords = new Uint8Array(1024)
  townWords = new Uint8Array(1024)
  /** 1 to 255; 0 is a row that does not count (any more). */
  fame = new Uint8Array(1024)
  words = new Uint32Array(4096)
  #used = 0
  #lost = 0

  /** Sets the words of a row, or of the next one. What it had before stays behind until `compact`. */
  set(row: number, { first, name, town, fame }: RowWords): void {
    if (row === this.start.length) this.#widen()
    if (row < this.count) this.#lost += (this.nameWords[row] ?? 0) + (this.townWords[row] ?? 0)
    else this.count = row + 1
    this.start[row] = this.#used
    this.nameWords[row] = name.length
    this.firstWords[row] = first
    this.townWords[row] = town.length
    this.fame[row] = fame
    for (const word of [...name, ...town]) this.#push(word)
  }

  /** Whether that is what the row has. */
  has(row: number, { first, name, town, fame }: RowWords): boolean {
    const start = this.start[row] ?? 0
    return (
      this.fame[row] === fame &&
      this.firstWords[row] === first &&
      this.nameWords[row] === name.length &&
      this.townWords[row] === town.length &&
      [...name, ...town].every((word, at) => this.words[start + at] === word)
    )
  }

  /** Gives back the room of words that rows had before, when that is much. */
  compact(): void {
    if (this.#lost < this.#used / 2) return
    const old = this.words
    this.words = new Uint32Array(Math.max(4096, this.#used - this.#lost))
    this.#used = 0
    this.#lost = 0
    for (let row = 0; row < this.count; row++) {
      const from = this.start[row] ?? 0
      this.start[row] = this.#used
      const to = from + (this.nameWords[row] ?? 0) + (this.townWords[row] ?? 0)
      for (let at = from; at < to; at++) this.#push(old[at] ?? 0)
    }
  }

  /** As it is now, whatever is set later. */
  snapshot() {
    const { count, words } = this
    const [start, nameWords, fame] = [
      this.start.slice(0, count),
      this.nameWords.slice(0, count),
      this.fame.slice(0, count),
    ]
    return { count, start, nameWords, fame, words }
  }

  #push(word: number): void {
    if (this.#used === this.words.length) this.words = grown(this.words, Uint32Array)
    this.words[this.#used++] = word
  }

  #widen(): void {
    this.start = grown(this.start, Uint32Array)
    this.firstWords = grown(this.firstWords, Uint8Array)
    this.nameWords = grown(this.nameWords, Uint8Array)
    this.townWords = grown(this.townWords, Uint8Array)
    this.fame = grown(this.fame, Uint8Array)
  }
}

function grown<T extends Uint8Array | Uint32Array>(column: T, Column: new (length: number) => T): T {
  const wider = new Column(Math.ceil(column.length * 1.5))
  wider.set(column)
  return wider
}
