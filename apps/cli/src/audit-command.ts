import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { StartupProblem } from '@chancela/service-kernel/errors'
import {
  AuditChain,
  type ChainHead,
  type ChainProblem,
  type ChainVerdict,
  chainProblems,
  headOfExport,
  readChain,
  readExport,
  verifyChain,
} from '@chancela/service-kernel/events'
import type { ServiceDefinition, StatefulService } from '@chancela/service-kernel/service'
import { hasTable, storeFile } from '@chancela/service-kernel/store'
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

type VerifyOptions = CommonOptions & { readonly kept: readonly ChainHead[] }

async function verifyDatabases(
  context: CommandContext,
  names: readonly string[],
  options: VerifyOptions,
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

type ChainedService = StatefulService & Required<Pick<StatefulService, 'chained'>>

function chainedServices({ services }: CommandContext, names: readonly string[]): readonly ChainedService[] {
  const chosen = chooseServices(services, names)
  const without = names.length > 0 ? chosen.find((service) => !isChained(service)) : undefined
  if (without) throw new StartupProblem(`${without.name} keeps no audit chain.`)
  return chosen.filter(isChained)
}

const isChained = (service: ServiceDefinition): service is ChainedService =>
  service.migrations !== undefined && service.chained !== undefined

/** A sentence instead where the service has no database: an embedded one would be made, which must not happen here. */
async function verifyDatabase(
  context: CommandContext,
  service: ChainedService,
  options: VerifyOptions,
): Promise<Verified | string> {
  const { Url: url } = kernelPart(settingsOf(context, [service], options))[service.name]!.Database
  const file = storeFile({ url, dataFolder: dataFolderOf(options) })
  if (file !== undefined && !existsSync(file)) return `${service.name} has no database at ${file}.`
  return withStore(context, service, options, async ({ store: { db } }) => {
    if (!(await hasTable(db, 'schema_migration'))) return `${service.name} has nothing in its database yet.`
    for (const table of ['audit_chain', 'audit_checkpoint'])
      if (!(await hasTable(db, table)))
        throw new StartupProblem(`The database of ${service.name} has no ${table} yet: chancela migrate makes it.`)
    const kinds = service.chained
    const verdict = await verifyChain(readChain(db, kinds), options)
    const waiting = await new AuditChain({ kinds, clock: context.clock }).countWaiting(db)
    return { what: service.name, ...verdict, waiting }
  })
}

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
