// The agent's last sentences, in its folder, for the window. It contains no PIN, as no sentence does, and no whole CPF.
import { appendFileSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import type { Clock } from '@chancela/service-kernel/clock'

/** It is cut to its newer half beyond that. */
const MAX_BYTES = 256 * 1024

/** Labels of tokens and names of files often have one. */
const CPF = /(?<!\d)\d{3}\.?(\d{3})\.?(\d{3})-?\d{2}(?!\d)/g

/** `***.456.789-**` in place of every CPF. */
export const withoutCpfs = (text: string): string => text.replace(CPF, '***.$1.$2-**')

export class Journal {
  readonly #file: string
  readonly #clock: Clock
  readonly #maxBytes: number

  constructor(file: string, clock: Clock, maxBytes = MAX_BYTES) {
    this.#file = file
    this.#clock = clock
    this.#maxBytes = maxBytes
  }

  /** A full disk is no reason to sign no more. */
  write(sentence: string): void {
    try {
      const line = withoutCpfs(sentence).replace(/\s+/g, ' ').slice(0, 1_000)
      appendFileSync(this.#file, `${this.#clock().toISOString()} ${line}\n`, { mode: 0o600 })
      if (statSync(this.#file).size > this.#maxBytes) this.#cut()
    } catch {
      // The sentence was also said where the agent runs.
    }
  }

  /** The newest lines, the oldest of them first. */
  last(count: number): readonly string[] {
    try {
      return readFileSync(this.#file, 'utf8').trimEnd().split('\n').slice(-count)
    } catch {
      return [] // nothing was written yet
    }
  }

  #cut(): void {
    const kept = readFileSync(this.#file).subarray(-this.#maxBytes / 2)
    writeFileSync(`${this.#file}.new`, kept.subarray(kept.indexOf('\n') + 1), { mode: 0o600 })
    renameSync(`${this.#file}.new`, this.#file)
  }
}
