import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { numberIn, sha256 } from './site-files.ts'
import { STAYS, type Taken } from './site-plan.ts'
import { foldersOf } from './world-folders.ts'

/** An output that reached somebody: taken by the consumer, or seen lying in output/. */
export interface Delivery {
  readonly name: string
  /** A copy that nobody removes. */
  readonly path: string
  readonly sha256: string
  readonly how: string
}

/** Everything that was delivered in a world. */
export class Deliveries {
  readonly #root: string
  readonly #byNumber = new Map<number, Delivery[]>()
  readonly #seen = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  ofFile(number: number): readonly Delivery[] {
    return this.#byNumber.get(number) ?? []
  }

  get all(): readonly Delivery[] {
    return [...this.#byNumber.values()].flat()
  }

  take({ name, path, sha256, at, way }: Taken): void {
    this.#note({ name, path, sha256, how: `${way} at ${at}` })
  }

  /** Looks at what lies in output/. Another file under the same name is another delivery. */
  look(): void {
    const { output, taken } = foldersOf(this.#root)
    if (!existsSync(output)) return
    for (const name of readdirSync(output).filter((one) => one.includes(STAYS) && !one.startsWith('.'))) {
      const hash = sha256(readFileSync(join(output, name)))
      if (this.#seen.has(`${name} ${hash}`)) continue
      this.#seen.add(`${name} ${hash}`)
      mkdirSync(taken, { recursive: true })
      const path = join(taken, `lay-${this.#seen.size}-${name}`)
      copyFileSync(join(output, name), path)
      this.#note({ name, path, sha256: hash, how: `seen in output/ at ${new Date().toISOString()}` })
    }
  }

  #note(delivery: Delivery): void {
    const number = numberIn(delivery.name)
    this.#byNumber.set(number, [...this.ofFile(number), delivery])
  }
}
