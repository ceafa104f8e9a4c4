import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { chainedRecords } from '@chancela/batch-signer/audit'
import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  AuditChain,
  type ChainedKind,
  type ChainHead,
  type ChainProblem,
  type ChainVerdict,
  chainProblems,
  hasAuditChain,
  headOfExport,
  readChain,
  readExport,
  verifyChain,
} from '@chancela/service-kernel/events'
import type { StatefulService } from '@chancela/service-kernel/service'
import { storeFile } from '@chancela/service-kernel/store'
import {
  type CommandContext,
  type CommonOptions,
  chooseServices,
  dataFolderOf,
  kernelPart,
  settingsOf,
} from './command-context.ts'
import { exitCodes, leaveWith } from './signatures/exit-codes.ts'
import { requireFile } from './signatures/files.ts'
import { withStore } from './with-store.ts'

/** The services that chain their records, and which. */
const chains: Readonly<Record<string, readonly ChainedKind[]>> = { 'batch-signer': chainedRecords }

export interface AuditOptions extends CommonOptions {
  /** Verify this export instead of a database. */
  readonly export?: string
  /** Heads that were kept, as `<sequence>:<link>`. */
  readonly head: readonly string[]
  /** An earlier export, whose head must be part of the chain. */
  readonly previous?: string
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
  const kept = await keptHeads(options)
  const verified =
    options.export === undefined
      ? await verifyDatabases(context, names, { ...options, kept })
      : [await verifyExport(options.export, kept)]
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

async function verifyExport(file: string, kept: readonly ChainHead[]): Promise<Verified> {
  return { what: file, ...(await verifyChain(readExport(await linesOf(file)), { kept })) }
}

async function verifyDatabases(
  context: CommandContext,
  names: readonly string[],
  options: CommonOptions & { readonly kept: readonly ChainHead[] },
): Promise<readonly Verified[]> {
  const verified: Verified[] = []
  for (const service of chainedServices(context, names)) {
    requireDatabase(context, service, options)
    verified.push(await verifyDatabase(context, service, options))
  }
  return verified
}

function chainedServices({ services }: CommandContext, names: readonly string[]): readonly StatefulService[] {
  const chosen = chooseServices(services, names)
  const without = names.length > 0 ? chosen.find(({ name }) => !chains[name]) : undefined
  if (without) throw new StartupProblem(`${without.name} keeps no audit chain.`)
  return chosen.filter((service): service is StatefulService => chains[service.name] !== undefined)
}

/** An embedded database would be made where there is none, which a verification must not do. */
function requireDatabase(context: CommandContext, service: StatefulService, options: CommonOptions): void {
  const { Url: url } = kernelPart(settingsOf(context, [service], options))[service.name]!.Database
  const file = storeFile({ url, dataFolder: dataFolderOf(options) })
  if (file !== undefined && !existsSync(file)) throw new StartupProblem(`${service.name} has no database at ${file}.`)
}

const verifyDatabase = (
  context: CommandContext,
  service: StatefulService,
  options: CommonOptions & { readonly kept: readonly ChainHead[] },
): Promise<Verified> =>
  withStore(context, service, options, async ({ store: { db } }) => {
    if (!(await hasAuditChain(db)))
      throw new StartupProblem(`The database of ${service.name} has no audit chain yet: chancela migrate makes one.`)
    const kinds = chains[service.name]!
    const verdict = await verifyChain(readChain(db, kinds), options)
    const waiting = await new AuditChain({ kinds, clock: context.clock }).countWaiting(db)
    return { what: service.name, ...verdict, waiting }
  })

const isIntact = ({ problemCount }: ChainVerdict): boolean => problemCount === 0

const headText = ({ sequence, link }: ChainHead): string => `${sequence}:${link}`

function plain({ what, head, ...verdict }: Verified) {
  return { of: what, intact: isIntact(verdict as ChainVerdict), ...verdict, head: headText(head) }
}

function textOf(verified: Verified): string {
  const { what, links, removed, waiting = 0, head, problems, problemCount } = verified
  if (!isIntact(verified))
    return [`${what}: the audit chain is broken ${placeOf(problems[0]!)}.`, ...more(problems, problemCount)].join('\n')
  const told = [
    `${links} links`,
    ...(removed > 0 ? [`${removed} of removed records`] : []),
    ...(waiting > 0 ? [`${waiting} records wait for theirs`] : []),
  ]
  return `${what}: the audit chain is intact, ${told.join(', ')}.\nHead: ${headText(head)}`
}

const placeOf = ({ code, sequence, kind, recordId }: ChainProblem): string =>
  `at link ${sequence}${kind === undefined ? '' : ` (${kind} ${recordId})`}: ${chainProblems[code]}`

const more = ([, ...others]: readonly ChainProblem[], count: number): readonly string[] =>
  count === 1 ? [] : [`Problems in all: ${count}. The next:`, ...others.map((problem) => `  ${placeOf(problem)}`)]
