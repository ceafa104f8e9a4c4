// The agent's folder: its identity, and where its certificates are. Only its user may read it; it contains no PIN.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import Type, { type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { AgentProblem } from './agent-problem.ts'
import { markOf } from './process-mark.ts'

const Enrolment = Type.Object({
  /** Address of the console. */
  server: Type.String(),
  /** Ed25519, base64url: no other server is trusted. */
  serverPublicKey: Type.String(),
  workstationId: Type.String(),
  name: Type.String(),
  /** Of the agent's own identity, base64url. */
  secret: Type.String(),
})

const TokenEntry = Type.Object({
  kind: Type.Literal('token'),
  /** Path of the PKCS#11 module. */
  module: Type.String(),
  /** Label or serial number; all tokens of the module when absent. */
  token: Type.Optional(Type.String()),
})

const FileEntry = Type.Object({
  kind: Type.Literal('file'),
  path: Type.String(),
  /** The public part of the file, base64 DER: read once with the password, which is not stored. */
  certificate: Type.String(),
  chain: Type.Array(Type.String()),
})

const SourceList = Type.Object({ sources: Type.Array(Type.Union([TokenEntry, FileEntry])) })

/** A code for the running agent, from another process on this machine; without one it opens the window for it. */
const PairingRequest = Type.Object({ id: Type.String(), code: Type.Optional(Type.String()) })
const WindowRequest = Type.Object({ id: Type.String() })
const PairingAnswer = Type.Object({ id: Type.String(), result: Type.String() })

export type PairingRequest = Static<typeof PairingRequest>

/** The version the server offered last. */
const Offered = Type.Object({
  version: Type.String(),
  packages: Type.Array(Type.Object({ platform: Type.String(), url: Type.String(), sha256: Type.String() })),
})

/** A version that was installed, and the file of the former one. */
const Updated = Type.Object({ version: Type.String(), former: Type.String() })

/** How the agent is enrolled. */
export type Enrolment = Static<typeof Enrolment>
export type TokenEntry = Static<typeof TokenEntry>
export type FileEntry = Static<typeof FileEntry>
export type SourceEntry = TokenEntry | FileEntry

const places: Readonly<Record<string, (environment: Environment) => string>> = {
  win32: ({ APPDATA }) => join(APPDATA ?? join(homedir(), 'AppData', 'Roaming'), 'Chancela', 'agent'),
  darwin: () => join(homedir(), 'Library', 'Application Support', 'Chancela', 'agent'),
}

type Environment = Readonly<Record<string, string | undefined>>

const elsewhere = ({ XDG_CONFIG_HOME }: Environment): string =>
  join(XDG_CONFIG_HOME || join(homedir(), '.config'), 'chancela', 'agent')

/** The default folder. */
export const defaultHome = (platform: string = process.platform, environment: Environment = process.env): string =>
  (places[platform] ?? elsewhere)(environment)

export class AgentHome {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  readEnrolment(): Enrolment {
    const enrolment = this.#read('enrolment.json', Enrolment)
    if (!enrolment)
      throw new AgentProblem('This machine is not enrolled: run chancela-agent enrol <console-url> <code>.')
    return enrolment
  }

  writeEnrolment(enrolment: Enrolment): void {
    this.#write('enrolment.json', enrolment)
  }

  readSources(): readonly SourceEntry[] {
    return this.#read(SOURCES, SourceList)?.sources ?? []
  }

  writeSources(sources: readonly SourceEntry[]): void {
    this.#write(SOURCES, { sources })
  }

  /** Hands a code over to the agent that runs on this folder. */
  requestPairing(request: PairingRequest): void {
    this.#write(PAIRING, request)
  }

  /** What was handed over, once. */
  takePairing(): PairingRequest | undefined {
    const request = this.#read(PAIRING, PairingRequest)
    if (request) rmSync(join(this.folder, PAIRING), { force: true })
    return request
  }

  /** Asks the agent that runs on this folder to open its window. */
  requestWindow(id: string): void {
    this.#write(WINDOW, { id })
  }

  /** The id of that request, once. */
  takeWindowRequest(): string | undefined {
    const request = this.#read(WINDOW, WindowRequest)
    if (request) rmSync(join(this.folder, WINDOW), { force: true })
    return request?.id
  }

  /** Answers either. */
  answerPairing(id: string, result: string): void {
    this.#write(PAIRED, { id, result })
  }

  /** The answer to a code that was handed over, once it is there. */
  readPairingAnswer(id: string): string | undefined {
    const answer = this.#read(PAIRED, PairingAnswer)
    if (answer?.id !== id) return undefined
    rmSync(join(this.folder, PAIRED), { force: true })
    return answer.result
  }

  readOffer(): Static<typeof Offered> | undefined {
    return this.#read(OFFER, Offered)
  }

  /** What the server offers now; it may offer nothing any more. */
  writeOffer(offer: object | undefined): void {
    if (offer) this.#write(OFFER, offer)
    else rmSync(join(this.folder, OFFER), { force: true })
  }

  readUpdated(): Static<typeof Updated> | undefined {
    return this.#read(UPDATED, Updated)
  }

  writeUpdated(updated: Static<typeof Updated>): void {
    this.#write(UPDATED, updated)
  }

  forgetUpdated(): void {
    rmSync(join(this.folder, UPDATED), { force: true })
  }

  /** The file of the agent's last sentences. */
  get journalFile(): string {
    return join(this.folder, 'journal.log')
  }

  refuseSecond(): void {
    const other = this.runningProcess()
    if (other === undefined) return
    const file = join(this.folder, RUNNING)
    throw new AgentProblem(`The agent runs already, as process ${other}; if it does not, delete ${file}.`)
  }

  /** Asks the agent that runs on this folder to stop, whoever started it. */
  requestStop(): void {
    this.#write(STOPPING, {})
  }

  /** Whether it was asked to, since it was started. */
  isAskedToStop(): boolean {
    return existsSync(join(this.folder, STOPPING))
  }

  /** Locks the folder for one running agent; two would keep replacing each other at the server. */
  lock(): () => void {
    this.#prepare()
    const file = join(this.folder, RUNNING)
    const left = this.#text(RUNNING)
    this.refuseSecond()
    // Moved before it is deleted: another start may have put its own there meanwhile.
    if (left !== undefined) this.#putAside(left)
    this.#claim(file)
    rmSync(join(this.folder, STOPPING), { force: true })
    lockedHere.add(this.folder)
    return () => {
      lockedHere.delete(this.folder)
      rmSync(file, { force: true })
    }
  }

  /** The process that runs with this folder, if one does. */
  runningProcess(): number | undefined {
    const [number, mark] = (this.#text(RUNNING) ?? '').split('\n')
    const pid = Number(number)
    if (!Number.isInteger(pid) || pid <= 0) return undefined
    // In a container every start may have the same pid.
    if (pid === process.pid) return lockedHere.has(this.folder) ? pid : undefined
    return isThere(pid) && isMarked(pid, mark) ? pid : undefined
  }

  #claim(file: string): void {
    try {
      writeFileSync(file, `${process.pid}\n${markOf(process.pid) ?? ''}`, { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      throw new AgentProblem('Another agent was started on this folder at the same moment.')
    }
  }

  #putAside(left: string): void {
    const [from, aside] = [join(this.folder, RUNNING), join(this.folder, `${RUNNING}.${process.pid}`)]
    try {
      renameSync(from, aside)
      if (readFileSync(aside, 'utf8') !== left) renameSync(aside, from)
    } catch (error) {
      // Another start was faster.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
    rmSync(aside, { force: true })
  }

  #prepare(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 })
    chmodSync(this.folder, 0o700)
  }

  #text(name: string): string | undefined {
    try {
      return readFileSync(join(this.folder, name), 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw new AgentProblem(`${join(this.folder, name)} cannot be read: ${(error as Error).message}.`)
    }
  }

  #read<Schema extends TSchema>(name: string, schema: Schema): Static<Schema> | undefined {
    const text = this.#text(name)
    if (text === undefined) return undefined
    const value = parsed(text)
    if (!Value.Check(schema, value)) throw new AgentProblem(`${join(this.folder, name)} is damaged.`)
    return value as Static<Schema>
  }

  /** Writes atomically, even if the machine crashes. */
  #write(name: string, value: object): void {
    this.#prepare()
    const file = join(this.folder, name)
    writeFileSync(`${file}.new`, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
}

/** What an agent without a terminal says. */
export const LOG_FILE = 'agent.log'

const SOURCES = 'sources.json'
const RUNNING = 'running.pid'
const STOPPING = 'stopping.json'
const PAIRING = 'pairing.json'
const WINDOW = 'window.json'
const OFFER = 'offer.json'
const UPDATED = 'updated.json'
const PAIRED = 'paired.json'

/** Folders whose agents run in this process. */
const lockedHere = new Set<string>()

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process exists, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Agents of before left no mark, and some systems give none: then the number decides. */
function isMarked(pid: number, mark: string | undefined): boolean {
  const now = mark ? markOf(pid) : undefined
  return now === undefined || now === mark
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
