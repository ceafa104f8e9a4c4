import type { Anything, Particle, Sequence } from '../language/content.ts'
import { type ChildName, factsOf } from './particles.ts'

/** What does not fit: parts that are absent, and children that have no place (by their position among the children). */
export interface ContentFaults {
  readonly absent: readonly Particle[]
  readonly unknown: readonly number[]
  readonly misplaced: readonly number[]
}

/** Whether a wildcard accepts a child. */
export type WildcardTest = (wildcard: Anything, child: ChildName) => boolean

/** Matches the children of an element with its content model and tells everything that does not fit. */
export function matchContent(
  model: Particle,
  children: readonly ChildName[],
  accepts: WildcardTest,
  withoutSignatures: boolean,
): ContentFaults {
  const { names, isOpen } = factsOf(model)
  const known: number[] = []
  const unknown: number[] = []
  children.forEach((child, at) => {
    if (isOpen || names.has(child)) known.push(at)
    else unknown.push(at)
  })
  const match = new Match(known, children, accepts, withoutSignatures)
  match.whole(model)
  return { ...match.faults(), unknown }
}

/** One pass over the children that the model knows; after a fault it goes on where the model can. */
class Match {
  readonly #positions: readonly number[]
  readonly #children: readonly ChildName[]
  readonly #accepts: WildcardTest
  readonly #withoutSignatures: boolean
  readonly #absent: Particle[] = []
  readonly #misplaced: number[] = []
  #at = 0

  constructor(positions: readonly number[], children: readonly ChildName[], accepts: WildcardTest, unsigned: boolean) {
    this.#positions = positions
    this.#children = children
    this.#accepts = accepts
    this.#withoutSignatures = unsigned
  }

  whole(model: Particle): void {
    if (model.is === 'sequence' && model.max === 1 && model.min === 1) this.#parts(model, true)
    else this.#occurrences(model)
    while (this.#at < this.#positions.length) this.#misplaced.push(this.#positions[this.#at++]!)
  }

  /** A child out of place explains an absence: the two are told as one. */
  faults(): Omit<ContentFaults, 'unknown'> {
    if (this.#misplaced.length === 0) return { absent: this.#absent, misplaced: [] }
    const strays = new Set(this.#misplaced.map((at) => this.#children[at]!))
    const absent = this.#absent.filter((part) => part.is !== 'element' || !strays.has(part.name))
    return { absent, misplaced: this.#misplaced }
  }

  #occurrences(part: Particle): void {
    let count = 0
    while (this.#begins(part) && (count === 0 || part.max === 'many')) {
      this.#once(part)
      count++
    }
    if (count === 0 && !this.#mayBeAbsent(part)) this.#missing(part)
  }

  #mayBeAbsent(part: Particle): boolean {
    return factsOf(part).mayBeAbsent || (part.is === 'signatures' && this.#withoutSignatures)
  }

  /** An absent sequence is told by its absent parts. */
  #missing(part: Particle): void {
    if (part.is === 'sequence') this.#parts(part, false)
    else this.#absent.push(part)
  }

  #once(part: Particle): void {
    if (part.is === 'sequence') this.#parts(part, false)
    else if (part.is === 'choice') this.#occurrences(part.parts.find((option) => this.#begins(option))!)
    else this.#at++
  }

  #parts(part: Sequence, isOutermost: boolean): void {
    part.parts.forEach((inner, at) => {
      if (isOutermost && !this.#begins(inner) && !this.#mayBeAbsent(inner))
        this.#skipStrays(inner, part.parts.slice(at))
      this.#occurrences(inner)
    })
  }

  /** Passes over children that stand before a part that must come, and fit neither it nor anything behind it. */
  #skipStrays(part: Particle, rest: readonly Particle[]): void {
    const fits = () => rest.some((later) => factsOf(later).names.has(this.#child()!) || factsOf(later).isOpen)
    while (this.#child() !== undefined && !this.#begins(part) && !fits())
      this.#misplaced.push(this.#positions[this.#at++]!)
  }

  #child(): ChildName | undefined {
    const at = this.#positions[this.#at]
    return at === undefined ? undefined : this.#children[at]
  }

  #begins(part: Particle): boolean {
    const child = this.#child()
    if (child === undefined) return false
    const { first, firstWildcards } = factsOf(part)
    return first.has(child) || firstWildcards.some((wildcard) => this.#accepts(wildcard, child))
  }
}
