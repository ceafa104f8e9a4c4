// The holder's word puts another version in the place of the program. It is what the server named, byte for byte, it
// starts, and the former one stays until it has run.
import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isSea } from 'node:sea'
import { promisify } from 'node:util'
import { readUrl } from '@chancela/service-kernel/addresses'
import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import { AgentProblem } from '../agent-problem.ts'
import type { AgentHome } from '../home.ts'
import { version } from '../version.ts'
import { newerOffer, type Offer, type OfferedPackage, packageFor } from './offer.ts'

/** The file of this program where it is a package; undefined for one that runs from its sources. */
export const ownExecutable = (): string | undefined => (isSea() ? process.execPath : undefined)

/** What is new; undefined where nothing is. */
export const offerIn = (home: AgentHome): Offer | undefined => newerOffer(home.readOffer())

/** The version that was installed and has not run yet. The former program stands beside it until then. */
export function waitingUpdate(home: AgentHome): string | undefined {
  const updated = home.readUpdated()
  return updated && existsSync(updated.former) ? updated.version : undefined
}

/** What the holder is told of a newer version. */
export function updateSentence(home: AgentHome): string | undefined {
  const offered = offerIn(home)?.version
  if (offered === undefined) return undefined
  return offered === waitingUpdate(home)
    ? `Version ${offered} is installed; it runs when the agent is started again.`
    : `Version ${offered} is there, this is ${version}: chancela-agent update installs it.`
}

/** Installs the offered version; it runs from the next start on. Returns its name. */
export async function update(home: AgentHome, executable: string | undefined): Promise<string> {
  const offer = offerIn(home)
  if (!offer) throw new AgentProblem(`The server offers no newer version than ${version}.`)
  if (executable === undefined)
    throw new AgentProblem(`Version ${offer.version} is there; this agent runs from its sources, which you update.`)
  if (waitingUpdate(home) === offer.version)
    throw new AgentProblem(`Version ${offer.version} is installed already; it runs when the agent is started again.`)
  const wanted = packageFor(offer)
  if (!wanted) throw new AgentProblem(`The server offers version ${offer.version} for other systems only.`)
  const bytes = await downloaded(wanted)
  await install(executable, bytes, offer.version)
  home.writeUpdated({ version: offer.version, former: formerOf(executable) })
  return offer.version
}

/** The version that runs now was installed here, and has come far enough: the former one goes. */
export function dropFormer(home: AgentHome): void {
  const updated = home.readUpdated()
  if (updated?.version !== version) return
  try {
    rmSync(updated.former, { force: true })
    home.forgetUpdated()
  } catch {
    // Windows does not delete a program that still runs: the next start does.
  }
}

const formerOf = (executable: string): string => `${executable}.old`

const LIMITS = {
  connectTimeoutMs: 10 * SECOND,
  deadlineMs: 15 * MINUTE,
  maxAnswerBytes: 512 * 1024 * 1024,
  redirects: 3,
}

async function downloaded({ url, sha256 }: OfferedPackage): Promise<Buffer> {
  const { protocol, host } = readUrl(url) ?? {}
  if (protocol !== 'https:' && protocol !== 'http:')
    throw new AgentProblem('The address of the package is no http URL.')
  const { createHttpClient } = await import('@chancela/service-kernel/http-client')
  const { exchange, close } = createHttpClient(LIMITS)
  const { status, body } = await exchange({ method: 'GET', url })
    .catch(({ message }: Error) => {
      throw new AgentProblem(`The package cannot be fetched from ${host}: ${message.replace(/\.$/, '')}.`)
    })
    .finally(close)
  if (status !== 200) throw new AgentProblem(`The package cannot be fetched: ${host} answered with status ${status}.`)
  if (createHash('sha256').update(body).digest('hex') !== sha256)
    throw new AgentProblem(`What ${host} serves is not the package that the server named: nothing was changed.`)
  return body
}

async function install(executable: string, bytes: Buffer, wanted: string): Promise<void> {
  const fresh = `${executable}.${randomUUID()}${process.platform === 'win32' ? '.exe' : ''}`
  try {
    // Nobody else may change it before it is in its place.
    writeFileSync(fresh, bytes, { mode: 0o700, flag: 'wx', flush: true })
    await requireVersion(fresh, wanted)
    chmodSync(fresh, statSync(executable).mode & 0o777)
    replace(executable, fresh)
  } catch (error) {
    if (error instanceof AgentProblem) throw error
    throw new AgentProblem(`The new version cannot be installed: ${(error as Error).message}.`)
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** A package for another system, or of another version, is found before it is in the way. */
async function requireVersion(program: string, wanted: string): Promise<void> {
  const options = { timeout: MINUTE, windowsHide: true } as const
  const told = await promisify(execFile)(program, ['--version'], options).catch((error: Error) => {
    throw new AgentProblem(`The new version does not start, and nothing was changed: ${error.message.split('\n')[0]}.`)
  })
  if (told.stdout.trim() !== wanted)
    throw new AgentProblem(`The package is not version ${wanted}, as it was offered: nothing was changed.`)
}

/** There is a whole program in its place at any moment; Windows moves one that runs, but replaces none. */
function replace(executable: string, fresh: string): void {
  const former = formerOf(executable)
  rmSync(former, { force: true })
  if (process.platform === 'win32') renameSync(executable, former)
  else keepAs(executable, former)
  try {
    renameSync(fresh, executable)
  } catch (error) {
    if (process.platform === 'win32') renameSync(former, executable)
    throw error
  }
}

/** Not every disk has hard links. */
function keepAs(executable: string, former: string): void {
  try {
    linkSync(executable, former)
  } catch {
    copyFileSync(executable, former)
  }
}
