import { createReadStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import type { KernelSettings } from '@chancela/service-kernel/config'
import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  AuditChain,
  type ChainHead,
  type ChainProblem,
  type ChainVerdict,
  type Checkpoint,
  chainProblems,
  checkpointsIn,
  headOfExport,
  ownAuditKeys,
  readChain,
  readCheckpointKeys,
  readExport,
  type VerifyOptions,
  verifyChain,
} from '@chancela/service-kernel/events'
import { openSecrets } from '@chancela/service-kernel/secrets'
import { type ChainedService, chainedServices, withDatabase } from './audit-databases.ts'
import type { CommandContext, CommonOptions } from './command-context.ts'
import { exitCodes, leaveWith } from './signatures/exit-codes.ts'
import { requireFile } from './signatures/files.ts'

export interface AuditOptions extends CommonOptions {
  /** Verify this export instead of a database. */
  readonly export?: string
  /** Heads that were kept, as `<sequence>:<link>`. */
  readonly head: readonly string[]
  /** An earlier export, whose head must be part of the chain. */
  readonly previous?: string
  /** Files with checkpoints that were kept, such as a log. */
  readonly checkpoint: readonly string[]
  /** Ids of keys that were noted; others sign nothing. */
  readonly key: readonly string[]
  readonly json?: boolean
}

/** A verified chain. */
interface Verified extends ChainVerdict {
  /** A service, or the file of an export. */
  readonly what: string
  /** Records that have no link yet; unknown of an export. */
  readonly waiting?: number
}

/** `chancela audit verify`: whether anybody changed what was recorded, in databases or in an export. Changes nothing. */
export async function verifyAuditCommand(
  context: CommandContext,
  names: readonly string[],
  options: AuditOptions,
): Promise<void> {
  const against = {
    kept: await keptHeads(options),
    witnesses: await keptCheckpoints(options.checkpoint),
    ...(options.key.length > 0 && { trusts: ({ id }: { id: string }) => options.key.includes(id) }),
  }
  const verified =
    options.export === undefined
      ? await verifyDatabases(context, names, { ...options, against })
      : [await verifyExport(options.export, against)]
  requireWitnessed(verified, names, options)
  if (options.json) context.print(JSON.stringify(verified.map(plain), null, 2))
  else for (const one of verified) context.print(textOf(one))
  leaveWith(verified.every(isIntact) ? exitCodes.done : exitCodes.failed)
}

async function keptHeads({ head, previous }: AuditOptions): Promise<readonly ChainHead[]> {
  const given = head.map(headIn)
  return previous === undefined ? given : [...given, await headOfExport(await linesOf(previous))]
}

const HEAD = /^(?<sequence>\d{1,15}):(?<link>[0-9a-f]{64})$/

function headIn(text: string): ChainHead {
  const { sequence, link } = HEAD.exec(text)?.groups ?? {}
  if (sequence === undefined || link === undefined)
    throw new StartupProblem(`--head takes a head as this command prints it, <number>:<64 hexadecimal digits>.`)
  return { sequence: Number(sequence), link }
}

const linesOf = async (file: string) => createInterface({ input: createReadStream(await requireFile(file)) })

/** The checkpoints among the lines of files: alone, or as a service writes them to its log. */
async function keptCheckpoints(files: readonly string[]): Promise<readonly Checkpoint[]> {
  const found: Checkpoint[] = []
  for (const file of files) {
    const before = found.length
    for await (const line of await linesOf(file)) found.push(...checkpointsIn(line))
    if (found.length === before) throw new StartupProblem(`${file} has no checkpoint of an audit chain.`)
  }
  return found
}

/** Whoever brings checkpoints for one chain wants to know if none of them is of it: its keys may have been replaced. */
function requireWitnessed(verified: readonly Verified[], names: readonly string[], options: AuditOptions): void {
  if (options.checkpoint.length === 0) return
  const isAsked = names.length > 0 || options.export !== undefined || verified.every(({ witnesses }) => witnesses === 0)
  const without = verified.find(({ witnesses }) => witnesses === 0)
  if (isAsked && without)
    throw new StartupProblem(`No checkpoint in ${options.checkpoint.join(', ')} is of a key of ${without.what}.`)
}

async function verifyExport(file: string, against: VerifyOptions): Promise<Verified> {
  return { what: file, ...(await verifyChain(readExport(await linesOf(file)), against)) }
}

type DatabaseOptions = CommonOptions & { readonly against: VerifyOptions }

async function verifyDatabases(
  context: CommandContext,
  names: readonly string[],
  options: DatabaseOptions,
): Promise<readonly Verified[]> {
  const verified: Verified[] = []
  const absent: string[] = []
  for (const service of chainedServices(context, names)) {
    const one = await verifyDatabase(context, service, options)
    if (typeof one === 'string') absent.push(one)
    else verified.push(one)
  }
  // Whoever names a service means it; otherwise those that are in use are verified.
  if (absent.length > 0 && (names.length > 0 || verified.length === 0)) throw new StartupProblem(absent.join('\n'))
  for (const sentence of absent) context.log(sentence)
  return verified
}

const verifyDatabase = (
  context: CommandContext,
  service: ChainedService,
  options: DatabaseOptions,
): Promise<Verified | string> =>
  withDatabase(context, service, options, async ({ store: { db }, settings, dataFolder }) => {
    const kinds = service.chained
    const own = await ownKeys(db, { service: service.name, settings, dataFolder })
    const trusted = own && { trusts: ({ id }: { id: string }) => own.has(id) }
    const verdict = await verifyChain(readChain(db, kinds), { ...trusted, ...options.against })
    const waiting = await new AuditChain({ kinds, clock: context.clock }).countWaiting(db)
    return { what: service.name, ...verdict, waiting }
  })

/** The keys that the master key opens; undefined where it is not at hand. None is made. */
async function ownKeys(
  db: Parameters<typeof ownAuditKeys>[0],
  { service, settings, dataFolder }: { service: string; settings: KernelSettings; dataFolder: string },
): Promise<ReadonlySet<string> | undefined> {
  const { MasterKey: masterKey, MasterKeyFile } = settings.Secrets
  const masterKeyFile = resolve(dataFolder, MasterKeyFile)
  if (masterKey === undefined && !existsSync(masterKeyFile)) return undefined
  return ownAuditKeys(db, openSecrets({ service, masterKey, masterKeyFile }))
}

/** `chancela audit key`: the keys that sign the checkpoints of a service, for whoever verifies elsewhere. */
export async function showAuditKeys(context: CommandContext, name: string, options: CommonOptions): Promise<void> {
  for (const service of chainedServices(context, [name])) {
    const keys = await withDatabase(context, service, options, ({ store: { db } }) => readCheckpointKeys(db))
    if (typeof keys === 'string') throw new StartupProblem(keys)
    if (keys.length === 0) throw new StartupProblem(`${service.name} has signed no checkpoint yet.`)
    for (const { id, publicKey } of keys) context.print(`${id} ${publicKey}`)
  }
}

const isIntact = ({ problemCount }: ChainVerdict): boolean => problemCount === 0

const headText = ({ sequence, link }: ChainHead): string => `${sequence}:${link}`

function plain({ what, head, ...verdict }: Verified) {
  return { of: what, intact: isIntact(verdict as ChainVerdict), ...verdict, head: headText(head) }
}

/** What an older copy of the database looks like, too: nothing in it was changed. */
const OLDER: readonly ChainProblem['code'][] = ['head-ahead']

const isOlder = ({ problems }: ChainVerdict): boolean => problems.every(({ code }) => OLDER.includes(code))

function textOf(verified: Verified): string {
  const { what, links, removed, waiting = 0, head, signedUpTo, problems, problemCount } = verified
  if (!isIntact(verified) && isOlder(verified))
    return `${what}: the audit chain ends at link ${head.sequence}, and link ${problems.at(-1)!.sequence} was kept elsewhere: an older database was restored, or the end was cut off. What is there is intact.`
  if (!isIntact(verified))
    return [`${what}: the audit chain is broken ${placeOf(problems[0]!)}.`, ...more(problems, problemCount)].join('\n')
  const told = [
    `${links} links`,
    ...(signedUpTo > 0 ? [`signed up to link ${signedUpTo}`] : []),
    ...(removed > 0 ? [`${removed} of removed records`] : []),
    ...(waiting > 0 ? [`${waiting} records wait for theirs`] : []),
  ]
  return `${what}: the audit chain is intact, ${told.join(', ')}.\nHead: ${headText(head)}`
}

const placeOf = ({ code, sequence, kind, recordId }: ChainProblem): string =>
  `at link ${sequence}${kind === undefined ? '' : ` (${kind} ${recordId})`}: ${chainProblems[code]}`

const more = ([, ...others]: readonly ChainProblem[], count: number): readonly string[] =>
  count === 1 ? [] : [`Problems in all: ${count}. The next:`, ...others.map((problem) => `  ${placeOf(problem)}`)]
