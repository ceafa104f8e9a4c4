// A process that runs cases and may crash, hang or run out of memory: its parent supervises it.
import type { CaseAddress, Corpus } from './fuzz-case.ts'
import { makeCase } from './fuzz-case.ts'
import { judgesOn } from './judges.ts'
import { describe, outcomeOf } from './outcome.ts'
import type { Recording } from './seed.ts'

/** What the parent sends first. */
export interface Equipment {
  readonly corpus: Corpus
  readonly recording: Recording
  /** Milliseconds of CPU one case may take. */
  readonly cpuLimitMs: number
  /** Peak of resident memory, in megabytes, that no case may push the process beyond. */
  readonly memoryLimitMb: number
  /** What the case of number 2 does instead of its work. */
  readonly misdeed?: 'die' | 'hang'
}

/** Messages of the process. */
export type CaseMessage =
  /** It waits: for its equipment first, then for cases. */
  | { readonly says: 'ready' }
  | { readonly says: 'begins'; readonly index: number }
  | { readonly says: 'ended'; readonly index: number; readonly result: string; readonly problem?: string }
  /** An uncaught error. */
  | { readonly says: 'escaped'; readonly index: number; readonly problem: string }

const say = (message: CaseMessage): void => void process.send!(message)
let current = -1

// An unhandled rejection counts against the running case: no error may escape this way either.
const escaped = (error: unknown): void =>
  say({ says: 'escaped', index: current, problem: `escaped: ${describe(error)}` })
process.on('uncaughtException', escaped)
process.on('unhandledRejection', escaped)
process.on('disconnect', () => process.exit())

process.once('message', (equipment: Equipment) => {
  const judges = judgesOn(equipment.recording)
  process.on('message', async (addresses: readonly CaseAddress[]) => {
    for (const address of addresses) await run(equipment, address, judges)
    say({ says: 'ready' })
  })
  say({ says: 'ready' })
})
say({ says: 'ready' })

async function run(equipment: Equipment, address: CaseAddress, judges: ReturnType<typeof judgesOn>): Promise<void> {
  const { index } = address
  current = index
  say({ says: 'begins', index })
  const fuzzCase = makeCase(equipment.corpus, address)
  if (index === 2) await misbehave(equipment.misdeed)
  const [cpuBefore, peakBefore] = [process.cpuUsage(), peakMb()]
  const outcome = await outcomeOf(fuzzCase, judges)
  const problem = outcome.problem ?? excess(equipment, process.cpuUsage(cpuBefore), peakBefore)
  say({ says: 'ended', index, result: problem ? 'problem' : outcome.result, ...(problem && { problem }) })
}

/** How the case exceeded its limits; undefined when it did not. */
function excess(limits: Equipment, { user, system }: NodeJS.CpuUsage, peakBefore: number): string | undefined {
  const [cpuMs, peak] = [(user + system) / 1000, peakMb()]
  if (cpuMs > limits.cpuLimitMs) return `took ${Math.round(cpuMs)} ms of CPU`
  // The peak never falls: only the case that raises it is reported.
  if (peak > limits.memoryLimitMb && peak > peakBefore)
    return `pushed memory from ${Math.round(peakBefore)} to ${Math.round(peak)} MB`
  return undefined
}

// It starts with the parent's memory at the fork, which is far below the limit.
function peakMb(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6
}

/** What the parent must be able to handle. */
async function misbehave(misdeed: Equipment['misdeed']): Promise<void> {
  if (misdeed === 'die') process.exit(3)
  if (misdeed === 'hang') for (;;);
}
