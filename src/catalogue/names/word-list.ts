/** Every word that any name has, each with a number, and an order that finds those with one beginning. */
export class WordList {
  readonly #numbers = new Map<string, number>()
  /** By number. */
  readonly #words: string[] = []
  #sorted: string[] = []
  /** The numbers of the sorted words. */
  #sortedNumbers = new Uint32Array(0)
  /** New since the words were sorted; looked through one by one. */
  #unsorted: string[] = []

  get size(): number {
    return this.#numbers.size
  }

  has(word: string): boolean {
    return this.#numbers.has(word)
  }

  numberOf(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  beginsWith(number: number, beginning: string): boolean {
    return this.#words[number]?.startsWith(beginning) ?? false
  }

  /** The word's number; a new one for a word that is new. */
  add(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(word, number)
    this.#words.push(word)
    this.#unsorted.push(word)
    return number
  }

  /** Numbers of the words that begin so. */
  beginningWith(beginning: string): Uint32Array {
    const sorted = this.#sortedNumbers.subarray(this.#firstFrom(beginning), this.#firstFrom(`${beginning}\uffff`))
    const others = this.#unsorted.filter((word) => word.startsWith(beginning))
    if (others.length === 0) return sorted
    return Uint32Array.from([...sorted, ...others.map((word) => this.#numbers.get(word) ?? 0)])
  }

  /** Puts all words in order. */
  sort(): void {
    this.#sorted = [...this.#sorted, ...this.#unsorted].sort()
    this.#sortedNumbers = Uint32Array.from(this.#sorted, (word) => this.#numbers.get(word) ?? 0)
    this.#unsorted = []
  }

  /** Where the words begin that do not come before `text`. */
  #firstFrom(text: string): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sorted[middle] ?? '') < text) low = middle + 1
      else high = middle
    }
    return low
  }
}
