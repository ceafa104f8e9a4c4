import type { Clock } from '@chancela/service-kernel/clock'
import { DAY, SECOND, systemClock } from '@chancela/service-kernel/clock'
import { JobLedger } from '../../../store/job-ledger.ts'
import { localFiles } from '../../../upstream/storage/local/file-operations.ts'
import { type FileCall, type FileFault, faultyFiles } from '../faulty-files.ts'
import type { LifePlan } from './life-plan.ts'
import { foldersOf } from './world-folders.ts'

/** How long a disk stays full. */
const FULL_MS = 150

/** The faults of a process: at every step it decides whether the process dies there, or what else fails. */
export class Doom {
  readonly #root: string
  readonly #plan: LifePlan
  #reached = 0
  #working = false
  #workingSince = 0
  #offset = 0
  #begin: () => void = () => {}
  /** Until the order to work: a world is checked after recovery and before anything is taken or signed. */
  readonly #begun = new Promise<void>((resolve) => {
    this.#begin = resolve
  })

  constructor(root: string, plan: LifePlan) {
    this.#root = root
    this.#plan = plan
  }

  /** From here on the whole plan applies. */
  work(): void {
    this.#working = true
    this.#workingSince = performance.now()
    this.#begin()
  }

  /** Reaches into this process: its file operations and its ledger from now on pass through the plan. */
  takeHold(): void {
    Object.assign(
      localFiles,
      faultyFiles((call) => this.#befalls(call)),
    )
    for (const step of ledgerSteps) this.#holdLedger(step)
  }

  #holdLedger(step: (typeof ledgerSteps)[number]): void {
    const change = JobLedger.prototype[step] as (...given: unknown[]) => Promise<unknown>
    const doom = this
    async function doomed(this: JobLedger, ...given: unknown[]) {
      if (beginnings.has(step)) await doom.#begun
      doom.pass(`ledger.${step}`, 'before')
      const result = await change.apply(this, given)
      doom.pass(`ledger.${step}`, 'after')
      return result
    }
    Object.defineProperty(JobLedger.prototype, step, { value: doomed })
  }

  /** The machine's time; with clock jumps it jumps by up to a day either way. */
  clock: Clock = () => {
    if (this.#working && this.#plan.trouble === 'clock jumps' && Math.random() < 0.1)
      this.#offset = (Math.random() - 0.5) * 2 * DAY
    const planned = (this.#plan.daysOn ?? 0) * DAY
    return new Date(systemClock().getTime() + planned + Math.round(this.#offset / SECOND) * SECOND)
  }

  /** Dies here if the plan says so. */
  pass(point: string, side: 'before' | 'after'): void {
    const { crash } = this.#plan
    if (crash?.point !== point || crash.side !== side) return
    this.#reached += 1
    if (this.#reached === crash.nth) process.kill(process.pid, 'SIGKILL')
  }

  #befalls(call: FileCall): FileFault | undefined {
    const point = `${call.operation} ${placeOf(call, this.#root)}`
    return {
      ...(this.#working && this.#trouble(call)),
      before: () => this.pass(point, 'before'),
      after: () => this.pass(point, 'after'),
    }
  }

  #trouble({ operation }: FileCall): FileFault | undefined {
    const { trouble } = this.#plan
    const isHarmless = operation === 'closeSync' || operation === 'fstatSync' || operation === 'lstatSync'
    if (isHarmless) return undefined
    if (trouble === 'EIO' || trouble === 'EACCES') return Math.random() < 0.02 ? { errno: trouble } : undefined
    const writes = operation.startsWith('write') || operation === 'mkdir' || operation === 'renameNewSync'
    if (trouble === 'ENOSPC' && writes)
      return performance.now() - this.#workingSince < FULL_MS ? { errno: 'ENOSPC' } : undefined
    const most = operation.endsWith('Sync') ? 3 : 30
    return trouble === 'slow disk' ? { delayMs: Math.ceil(Math.random() * most) } : undefined
  }
}

/** The place of a call, named like the crash points. */
function placeOf({ path }: FileCall, root: string): string {
  if (path.startsWith(foldersOf(root).inputs)) return 'input'
  const [folder = '', entry, file] = path.slice(foldersOf(root).work.length + 1).split('/')
  if (folder === 'output' || folder === 'error') return folder
  if (entry === undefined) return 'processing'
  if (file !== undefined) return file.slice(1)
  return entry.endsWith('.out') ? 'hidden' : 'job-folder'
}

/** The changes of the ledger before and after which a process can die. */
const ledgerSteps = ['enqueue', 'claim', 'reachedKey', 'signed', 'completed', 'failed', 'inputSettled'] as const

/** What begins work; recovery takes none of these steps. */
const beginnings: ReadonlySet<string> = new Set(['enqueue', 'claim'])
