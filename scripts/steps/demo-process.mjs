import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './run-command.mjs'
import { Hindrance, say } from './say.mjs'

/** A browser may hold a connection open: at the second signal the demo does not wait for it. */
const PATIENCE_MS = 2000

/** @typedef {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} Child */

/** The demo in a process of its own, one at a time. The first shows its progress and its table, all show errors. */
export class DemoProcess {
  #args
  /** @type {Child | undefined} */
  #child
  #isFirst = true

  /** @param {readonly string[]} args */
  constructor(args) {
    this.#args = args
  }

  /** Stops the running demo and starts the built one; resolves when it answers. */
  async restart() {
    await this.#stop()
    const child = this.#spawn()
    const said = this.#hear(child)
    const [table] = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => [])])
    if (table === undefined) throw new Hindrance(`${said.join('')}The demo did not start.`)
    if (this.#isFirst) process.stdout.write(table)
    this.#isFirst = false
    child.once('exit', (code) => this.#child === child && say(`The demo ended by itself (exit code ${code}).`))
  }

  /** However this process ends, the demo ends too; it does not receive Ctrl+C by itself. */
  endWithUs() {
    process.once('exit', () => this.#child?.kill('SIGINT'))
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.on(signal, () => {
        const child = this.#child
        if (!child || !isRunning(child)) process.exit(130)
        child.once('exit', () => process.exit(0))
        child.kill('SIGINT')
      })
    }
  }

  #spawn() {
    const args = [join(root, 'scripts/start.mjs'), ...this.#args]
    // In its own process group: a second Ctrl+C, from the terminal in addition to this process, would abort requests.
    this.#child = spawn(process.execPath, args, { cwd: root, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    return this.#child
  }

  /** Collects the output until the demo answers, and shows the rest.
   * @param {Child} child */
  #hear(child) {
    /** @type {string[]} */
    const said = []
    let answers = this.#isFirst
    child.stdout.once('data', () => {
      answers = true
    })
    child.stderr.on('data', (chunk) => (answers ? process.stderr.write(chunk) : said.push(String(chunk))))
    return said
  }

  async #stop() {
    const child = this.#child
    this.#child = undefined
    if (!child || !isRunning(child)) return
    const ended = once(child, 'exit')
    child.kill('SIGINT')
    const impatience = setTimeout(() => child.kill('SIGINT'), PATIENCE_MS)
    await ended
    clearTimeout(impatience)
  }
}

/** @param {Child} child */
const isRunning = (child) => child.exitCode === null && child.signalCode === null
