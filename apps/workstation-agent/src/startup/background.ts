// `chancela-agent run --background`: an agent without a terminal, and a process beside it that starts it again. For
// systems that start a program at log-in and do not watch it.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { AgentProblem } from '../agent-problem.ts'
import { type BackOff, waitAfter } from '../back-off.ts'
import { AgentHome, LOG_FILE } from '../home.ts'
import { until } from './until.ts'

const STARTS_WITHIN = 30 * SECOND

/** Starts the keeper, and it the agent; resolves when the agent runs. */
export async function runInBackground(program: readonly string[], folder: string, more: readonly string[]) {
  const home = new AgentHome(folder)
  home.readEnrolment()
  home.refuseSecond()
  const [command, ...args] = program as [string, ...string[]]
  const log = openLog(home)
  const keeper = spawn(command, [...args, 'keep', '--home', home.folder, ...more], {
    stdio: ['ignore', log, log],
    detached: true,
    windowsHide: true,
  })
  closeSync(log)
  keeper.unref()
  const pid = await started(home, keeper)
  return `The agent runs as process ${pid}; what it says is in ${join(home.folder, LOG_FILE)}.`
}

async function started(home: AgentHome, keeper: ChildProcess): Promise<number> {
  let failure: string | undefined
  keeper.once('error', ({ message }) => {
    failure = message
  })
  const hasEnded = () => (failure ?? keeper.exitCode) !== null
  await until(() => home.runningProcess() !== undefined || hasEnded(), STARTS_WITHIN)
  const pid = home.runningProcess()
  if (pid !== undefined) return pid
  throw new AgentProblem(`The agent did not start: ${failure ?? `see ${join(home.folder, LOG_FILE)}`}.`)
}

const KEEPING: BackOff = { first: SECOND, longest: MINUTE }

/** What ran as long as this did not fail at its start. */
const LASTED = 2 * MINUTE

/** Starts the agent, and again whenever it ends, until it was asked to stop. */
export async function keep(program: readonly string[], folder: string, more: readonly string[], signal: AbortSignal) {
  const home = new AgentHome(folder)
  for (let failures = 0; !signal.aborted; ) {
    const begun = performance.now()
    if (await ranToItsEnd(program, home, more, signal)) return
    failures = performance.now() - begun > LASTED ? 0 : failures + 1
    await sleep(waitAfter(failures, KEEPING), undefined, { signal }).catch(() => {})
  }
}

/** Whether it ended because it was asked to. */
function ranToItsEnd(program: readonly string[], home: AgentHome, more: readonly string[], signal: AbortSignal) {
  const [command, ...args] = program as [string, ...string[]]
  const log = openLog(home)
  const child = spawn(command, [...args, 'run', '--home', home.folder, ...more], {
    stdio: ['ignore', log, log],
    windowsHide: true,
  })
  closeSync(log)
  const stop = () => void child.kill()
  signal.addEventListener('abort', stop)
  return new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  }).finally(() => signal.removeEventListener('abort', stop))
}

/** Years of one sentence a day. */
const LONGEST_LOG = 1024 * 1024

function openLog(home: AgentHome): number {
  const file = join(home.folder, LOG_FILE)
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LONGEST_LOG) renameSync(file, `${file}.1`)
  return openSync(file, 'a', 0o600)
}
