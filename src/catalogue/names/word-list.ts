/** Numbers all words of names and finds them by prefix. */
export class WordList {
  readonly #numbers = new Map<string, number>()
  /** By number. */
  readonly #words: string[] = []
  #sorted: string[] = []
  #sortedNumbers = new Uint32Array(0)
  /** New since the last sort; scanned one by one. */
  #unsorted: string[] = []

  get size(): number {
    return this.#numbers.size
  }

  has(word: string): boolean {
    return this.#numbers.has(word)
  }

  findNumber(word: string): number | undefined {
    return this.#numbers.get(word)
  }

  beginsWith(number: number, prefix: string): boolean {
    return this.#words[number]?.startsWith(prefix) ?? false
  }

  /** Returns the word's number, a new one if needed. */
  add(word: string): number {
    const known = this.#numbers.get(word)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(word, number)
    this.#words.push(word)
    this.#unsorted.push(word)
    return number
  }

  beginningWith(prefix: string): Uint32Array {
    const sorted = this.#sortedNumbers.subarray(this.#lowerBound(prefix), this.#lowerBound(`${prefix}\uffff`))
    const others = this.#unsorted.filter((word) => word.startsWith(prefix))
    if (others.length === 0) return sorted
    return Uint32Array.from([...sorted, ...others.map((word) => this.#numbers.get(word) ?? 0)])
  }

  sort(): void {
    this.#sorted = [...this.#sorted, ...this.#unsorted].sort()
    this.#sortedNumbers = Uint32Array.from(this.#sorted, (word) => this.#numbers.get(word) ?? 0)
    this.#unsorted = []
  }

  /** Index of the first sorted word that is not before `text`. */
  #lowerBound(text: string): number {
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
