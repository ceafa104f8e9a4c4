import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A fresh clone, outside of the repository: inside, it would find the modules installed there. */
export class BareClone {
  readonly #root: string
  #folder = ''

  constructor(root: string) {
    this.#root = root
  }

  /** Replaces the clone. */
  async renew(): Promise<void> {
    await this.remove()
    this.#folder = await mkdtemp(join(tmpdir(), 'chancela-clone-'))
    await this.#ended('git', ['clone', '--quiet', '--no-local', '--depth', '1', `file://${this.#root}`, 'chancela'])
  }

  /** Seconds until the command has succeeded. */
  async secondsOf(command: string, args: readonly string[]): Promise<number> {
    const began = performance.now()
    await this.#ended(command, args)
    return (performance.now() - began) / 1000
  }

  /** Seconds until the command has printed the text; then it is stopped, and waited for. */
  async secondsUntil(text: string, command: string, args: readonly string[]): Promise<number> {
    const began = performance.now()
    const child = this.#started(command, args)
    const ended = once(child, 'exit')
    const said = new Promise<void>((resolve) => {
      let output = ''
      child.stdout.on('data', (chunk) => {
        output += chunk
        if (output.includes(text)) resolve()
      })
    })
    const isThere = await Promise.race([said.then(() => true), ended.then(() => false)])
    const seconds = (performance.now() - began) / 1000
    if (!isThere) throw new Error(`${command} ${args.join(' ')} ended without "${text}".`)
    // The whole process group of npm gets the signal, as from Ctrl+C at a terminal.
    process.kill(-child.pid!, 'SIGINT')
    await ended
    return seconds
  }

  async remove(): Promise<void> {
    if (this.#folder) await rm(this.#folder, { recursive: true, force: true })
  }

  async #ended(command: string, args: readonly string[]): Promise<void> {
    const [code] = await once(this.#started(command, args), 'exit')
    if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}.`)
  }

  #started(command: string, args: readonly string[]) {
    const cwd = command === 'git' ? this.#folder : join(this.#folder, 'chancela')
    const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
    child.stdout.resume()
    return child
  }
}
