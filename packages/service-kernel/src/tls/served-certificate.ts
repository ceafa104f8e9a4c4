import { stat } from 'node:fs/promises'
import { type Pair, type PairFiles, type PairProblem, readPair } from './read-pair.ts'

/** The certificate of a server, which follows its files: who renews them restarts nothing. */
export class ServedCertificate {
  readonly #files: PairFiles
  readonly #renewals: ((pair: Pair) => void)[] = []
  #pair: Pair
  #mark: string
  #problem: string | undefined

  private constructor(files: PairFiles, pair: Pair, mark: string) {
    this.#files = files
    this.#pair = pair
    this.#mark = mark
  }

  /** Throws PairProblem. */
  static async open(files: PairFiles): Promise<ServedCertificate> {
    const mark = await markOf(files)
    return new ServedCertificate(files, await readPair(files), mark)
  }

  get pair(): Pair {
    return this.#pair
  }

  /** Why what the files hold now is not served; undefined while it is. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** Called with every new pair. */
  onRenewal(apply: (pair: Pair) => void): void {
    this.#renewals.push(apply)
  }

  /**
   * Takes a new pair over if the files have changed. Files that are no pair, such as half-written ones, are looked at
   * again next time; until they are one, the last pair is served.
   */
  async look(): Promise<'same' | 'renewed' | 'refused'> {
    const mark = await markOf(this.#files)
    if (mark === this.#mark && this.#problem === undefined) return 'same'
    try {
      this.#pair = await readPair(this.#files)
    } catch (error) {
      const told = this.#problem
      this.#problem = (error as PairProblem).message
      return told === this.#problem ? 'same' : 'refused'
    }
    this.#mark = mark
    this.#problem = undefined
    for (const apply of this.#renewals) apply(this.#pair)
    return 'renewed'
  }
}

/** Changes whenever a file is written or replaced, a link to it included; before reading, so that no change is missed. */
async function markOf({ certificateFile, keyFile }: PairFiles): Promise<string> {
  const marks = [certificateFile, keyFile].map(async (file) => {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true })
    return `${ino} ${size} ${mtimeNs}`
  })
  return (await Promise.all(marks).catch(() => [GONE])).join()
}

/** A missing file is reported by reading it. */
const GONE = 'gone'
