import type { JudgedMutant } from './judge-mutant.ts'
import type { Progress } from './measure.ts'
import { mutantText } from './report.ts'

/** Reports progress, at most every five seconds, and every survivor at once. */
export class ProgressLines implements Progress {
  readonly #of: number
  readonly #packages: number
  readonly #say: (line: string) => void
  readonly #counts = { killed: 0, 'timed out': 0, survived: 0 }
  readonly #spent = { preparing: 0, judging: 0 }
  #prepared = 0
  #since = performance.now()
  #told = 0
  #doing: 'preparing' | 'judging' = 'judging'

  constructor(quotas: readonly number[], say: (line: string) => void) {
    this.#of = quotas.reduce((sum, quota) => sum + quota, 0)
    this.#packages = quotas.length
    this.#say = say
  }

  preparing(what: string): void {
    this.#count('preparing')
    this.#say(what)
  }

  judged(mutant: JudgedMutant): void {
    this.#count('judging')
    this.#counts[mutant.outcome]++
    if (mutant.outcome === 'survived') this.#say(`survived: ${mutantText(mutant)}`)
    if (performance.now() - this.#told < 5000 && this.#done < this.#of) return
    this.#told = performance.now()
    const { killed, 'timed out': timedOut, survived } = this.#counts
    const found = `${killed} killed, ${timedOut} timed out, ${survived} survived`
    this.#say(`${this.#done} of ${this.#of}: ${found}, about ${this.#minutesLeft()} min left`)
  }

  get #done(): number {
    return this.#counts.killed + this.#counts['timed out'] + this.#counts.survived
  }

  /**
   * Adds the time since the last call to the current phase: a package runs all of its tests before its first mutant.
   */
  #count(next: 'preparing' | 'judging'): void {
    const now = performance.now()
    this.#spent[this.#doing] += now - this.#since
    if (next === 'preparing' && this.#doing === 'judging') this.#prepared++
    this.#since = now
    this.#doing = next
  }

  #minutesLeft(): number {
    const judging = (this.#spent.judging / this.#done) * (this.#of - this.#done)
    const preparing = (this.#spent.preparing / this.#prepared) * (this.#packages - this.#prepared)
    return Math.ceil((judging + preparing) / 60_000)
  }
}
