// `chancela-agent install`: the system starts the agent whenever its user logs in, and whenever it has ended.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { SECOND } from '@chancela/service-kernel/clock'
import { AgentProblem } from '../agent-problem.ts'
import { AgentHome } from '../home.ts'
import { entryOf } from './entry.ts'
import { until } from './until.ts'
import { type Command, type Way, waysOf } from './ways.ts'

const STARTS_WITHIN = 30 * SECOND

/** Writes the entry for the present user, or writes it anew, and starts the agent; returns what a person should know. */
export async function install(program: readonly string[], folder: string): Promise<string> {
  const home = new AgentHome(folder)
  home.readEnrolment()
  const ways = waysHere(program, folder)
  const way = await firstOpen(ways)
  await removeAll(ways, home)
  if (way.file) write(way.file.path, way.file.text)
  for (const command of way.begin) await must(command)
  if (!(await until(() => home.runningProcess() !== undefined, STARTS_WITHIN)))
    throw new AgentProblem(`The agent is installed (${way.place}), but does not start: try chancela-agent run.`)
  return [
    'The agent runs, and is started whenever you log in and whenever it has ended.',
    `Written: ${way.place}`,
    ...(way.hint ? [way.hint] : []),
    'Undo it with chancela-agent uninstall.',
  ].join('\n')
}

/** Stops the agent and removes its entry. */
export async function uninstall(program: readonly string[], folder: string): Promise<string> {
  const removed = await removeAll(waysHere(program, folder), new AgentHome(folder))
  if (removed.length === 0) return 'Nothing is installed for this folder.'
  return [
    'The agent has stopped and is started no more; enrolment, tokens and files stay.',
    ...removed.map(({ place }) => `Removed: ${place}`),
  ].join('\n')
}

const waysHere = (program: readonly string[], folder: string): readonly Way[] =>
  waysOf(process.platform, entryOf(program, folder), {
    folder: homedir(),
    id: process.getuid?.() ?? 0,
    environment: process.env,
  })

async function firstOpen(ways: readonly Way[]): Promise<Way> {
  for (const way of ways) if (!way.probe || (await heard(way.probe)).ok) return way
  throw new AgentProblem('This system offers no way to start the agent at log-in.')
}

/** Ends and removes whatever is there, and an agent that somebody started by hand. */
async function removeAll(ways: readonly Way[], home: AgentHome): Promise<readonly Way[]> {
  const removed: Way[] = []
  for (const way of ways) if (await isThere(way)) removed.push(way)
  for (const { end } of removed) for (const command of end) await heard(command)
  await stopped(home)
  for (const way of removed) await remove(way)
  return removed
}

const isThere = async ({ file, isThere }: Way): Promise<boolean> =>
  file ? existsSync(file.path) : isThere !== undefined && (await heard(isThere)).ok

async function remove({ file, remove }: Way): Promise<void> {
  if (file) rmSync(file.path, { force: true })
  for (const command of remove) await must(command)
}

/** A signature that runs is finished first. */
const STOPS_WITHIN = 30 * SECOND

async function stopped(home: AgentHome): Promise<void> {
  if (home.runningProcess() === undefined) return
  home.requestStop()
  if (await until(() => home.runningProcess() === undefined, STOPS_WITHIN)) return
  throw new AgentProblem(`The agent that runs as process ${home.runningProcess()} does not stop.`)
}

/** Whole, or as it was. */
function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, text, { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

async function must(command: Command): Promise<void> {
  const { ok, text } = await heard(command)
  if (!ok) throw new AgentProblem(`${command.join(' ')} failed: ${text.trim().split('\n').at(-1) ?? ''}`)
}

/** Runs a command to its end, and hears what it says. */
function heard([program, ...args]: Command): Promise<{ readonly ok: boolean; readonly text: string }> {
  return new Promise((resolve) => {
    const said: string[] = []
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes) => void said.push(String(bytes)))
    child.once('error', ({ message }) => resolve({ ok: false, text: message }))
    child.once('close', (code) => resolve({ ok: code === 0, text: said.join('') }))
  })
}
