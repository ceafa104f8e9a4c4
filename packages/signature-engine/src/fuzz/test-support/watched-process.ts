import { type ChildProcess, fork } from 'node:child_process'
import { compile } from '@chancela/testkit/programs'
import type { CaseMessage, Equipment } from './case-process.ts'
import type { CaseAddress } from './fuzz-case.ts'

/** Callbacks of a process. */
export interface Employer {
  /** The next cases; none ends the process. */
  assign(): readonly CaseAddress[]
  /** A case ended; `problem` says what was wrong, if anything. */
  ended(address: CaseAddress, result: string, problem?: string): void
  /** An error escaped asynchronously, near the case with this index. */
  escaped(index: number, problem: string): void
  /** The process is gone and these cases were not started. */
  giveBack(addresses: readonly CaseAddress[]): void
}

/** On a busy machine a process takes long to start before its first message. */
const START_MS = 120_000

/** A process that runs cases under supervision: when it dies or hangs, its current case is reported. */
export class WatchedProcess {
  readonly #child: ChildProcess
  readonly #equipment: Equipment
  readonly #employer: Employer
  readonly #silenceMs: number
  #equipped = false
  #assigned: readonly CaseAddress[] = []
  #running: CaseAddress | undefined
  #silence: NodeJS.Timeout | undefined

  private constructor(child: ChildProcess, equipment: Equipment, silenceMs: number, employer: Employer) {
    this.#equipment = equipment
    this.#silenceMs = silenceMs
    this.#employer = employer
    this.#child = child
  }

  static async start(equipment: Equipment, silenceMs: number, employer: Employer): Promise<WatchedProcess> {
    return new WatchedProcess(await startCaseProcess(), equipment, silenceMs, employer)
  }

  /** Works until nothing is left to do, or until the process is gone. */
  work(): Promise<void> {
    this.#watch()
    this.#child.on('message', (message: CaseMessage) => {
      this.#hear(message)
      this.#watch()
    })
    return new Promise((resolve, reject) => {
      this.#child.once('error', reject)
      this.#child.once('exit', (code, signal) => {
        clearTimeout(this.#silence)
        if (!this.#equipped) return reject(new Error(`A case process did not start (code ${code}, signal ${signal}).`))
        this.#blame(code, signal)
        resolve()
      })
    })
  }

  #watch(): void {
    clearTimeout(this.#silence)
    const patience = this.#running ? this.#silenceMs : START_MS
    this.#silence = setTimeout(() => this.#child.kill('SIGKILL'), patience)
  }

  #hear(message: CaseMessage): void {
    if (message.says === 'ready') this.#next()
    else if (message.says === 'escaped') this.#employer.escaped(message.index, message.problem)
    else if (message.says === 'begins') this.#running = this.#addressOf(message.index)
    else this.#employer.ended(this.#addressOf(message.index), message.result, message.problem)
  }

  #addressOf(index: number): CaseAddress {
    return this.#assigned.find((address) => address.index === index)!
  }

  #next(): void {
    this.#running = undefined
    if (!this.#equipped) this.#equip()
    else this.#assign()
  }

  #equip(): void {
    this.#equipped = true
    this.#child.send(this.#equipment)
  }

  #assign(): void {
    this.#assigned = this.#employer.assign()
    if (this.#assigned.length > 0) this.#child.send(this.#assigned)
    else this.#child.disconnect()
  }

  #blame(code: number | null, signal: NodeJS.Signals | null): void {
    const fatal = this.#running
    if (!fatal) return
    const problem =
      signal === 'SIGKILL'
        ? 'hangs: no answer, or killed by the system'
        : `the process died (code ${code}, signal ${signal})`
    this.#employer.ended(fatal, 'problem', problem)
    this.#employer.giveBack(this.#assigned.filter(({ index }) => index > fatal.index))
  }
}

let program: Promise<string> | undefined

/** Runs the source, wherever the parent was started from, compiled once; its heap is limited. */
async function startCaseProcess(): Promise<ChildProcess> {
  program ??= compile(import.meta.url, `import './case-process.ts'`)
  return fork(await program, {
    execArgv: ['--max-old-space-size=512'],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}
