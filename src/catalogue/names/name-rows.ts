type RowWords = {
  readonly first: number
  readonly name: readonly number[]
  readonly town: readonly number[]
  readonly fame: number
}

/** Name words as numbers in columns: a million names take about 40 MB. */
export class NameRows {
  count = 0
  /** Offset of the row's words in `words`: those of its name, then those of its town. */
  start = new Uint32Array(1024)
  nameWords = new Uint8Array(1024)
  /** Number of words from the first vendor's name; other vendors add the rest. */
  firstWords = new Uint8Array(1024)
  townWords = new Uint8Array(1024)
  /** 1 to 255; 0 marks an inactive row. */
  fame = new Uint8Array(1024)
  words = new Uint32Array(4096)
  #used = 0
  #lost = 0

  /** Sets the words of a row or appends one. Previous words remain until `compact`. */
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

  has(row: number, { first, name, town, fame }: RowWords): boolean {
    const start = this.start[row] ?? 0
    return (
      this.fame[row] === fame &&
      this.firstWords[row] === first &&
      this.nameWords[row] === name.length &&
      this.townWords[row] === town.length &&
      [...name, ...town].every((word, index) => this.words[start + index] === word)
    )
  }

  /** Frees the space of replaced words if they are at least half. */
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
      for (let i = from; i < to; i++) this.#push(old[i] ?? 0)
    }
  }

  /** Copy that is not affected by later changes. */
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
    if (this.#used === this.words.length) this.words = grow(this.words, Uint32Array)
    this.words[this.#used++] = word
  }

  #widen(): void {
    this.start = grow(this.start, Uint32Array)
    this.firstWords = grow(this.firstWords, Uint8Array)
    this.nameWords = grow(this.nameWords, Uint8Array)
    this.townWords = grow(this.townWords, Uint8Array)
    this.fame = grow(this.fame, Uint8Array)
  }
}

function grow<T extends Uint8Array | Uint32Array>(column: T, Column: new (length: number) => T): T {
  const wider = new Column(Math.ceil(column.length * 1.5))
  wider.set(column)
  return wider
}
