import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { copyFile, readdir, readFile, rename, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { STAYS, type Taken } from './site-plan.ts'
import { foldersOf } from './world-folders.ts'

/** Milliseconds between two looks at output/: shorter than any step of the service that waits for the disk. */
const LOOK_MS = 2

/**
 * Takes outputs away as soon as they have their name, by turns as a rename and as a copy that is then deleted, and keeps
 * every one of them. Some files are left lying, as by a consumer that comes once a day.
 */
export class Consumer {
  readonly #output: string
  readonly #taken: string
  readonly #onTaken: (taken: Taken) => void
  #number = 0
  #passes = 0
  #stopped = false

  constructor(root: string, onTaken: (taken: Taken) => void) {
    const { output, taken } = foldersOf(root)
    this.#output = output
    this.#taken = taken
    this.#onTaken = onTaken
    mkdirSync(taken, { recursive: true })
  }

  start(onTrouble: (error: unknown) => void): void {
    this.#run().catch(onTrouble)
  }

  stop(): void {
    this.#stopped = true
  }

  /** Waits for a look that began after this call. */
  async drain(): Promise<void> {
    const wanted = this.#passes + 2
    while (!this.#stopped && this.#passes < wanted) await setTimeout(LOOK_MS)
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      for (const name of await this.#names()) await this.#take(name)
      this.#passes += 1
      await setTimeout(LOOK_MS)
    }
  }

  async #names(): Promise<readonly string[]> {
    const names = (await orGone(readdir(this.#output))) ?? []
    return names.filter((name) => !name.startsWith('.') && !name.includes(STAYS))
  }

  async #take(name: string): Promise<void> {
    this.#number += 1
    const [from, path] = [join(this.#output, name), join(this.#taken, `${this.#number}-${name}`)]
    const copies = this.#number % 2 === 0
    const isTaken = copies ? await copied(from, path) : (await orGone(rename(from, path).then(() => true))) === true
    if (!isTaken) return
    const sha256 = createHash('sha256')
      .update(await readFile(path))
      .digest('hex')
    const way = copies ? 'copied and deleted' : 'renamed'
    this.#onTaken({ name, path, sha256, at: new Date().toISOString(), way })
  }
}

/** Who has a copy has the file, even when its name is gone before it can be deleted. */
async function copied(from: string, path: string): Promise<boolean> {
  if ((await orGone(copyFile(from, path).then(() => true))) !== true) {
    await rm(path, { force: true })
    return false
  }
  await orGone(unlink(from))
  return true
}

/** The service may withdraw a name, and output/ does not exist before its first start. */
async function orGone<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
