import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachedKeys, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { startPostgres } from '@chancela/testkit/postgres'
import { compileFile } from '@chancela/testkit/programs'
import { Random } from '../prove/random.ts'
import { postgresDatabase, sqliteDatabase } from '../prove/world-database.ts'
import { type LifeOrder, people } from './approval-plan.ts'
import { ApprovalWorld, thumbprintOf, type WorldOptions, type WorldReport } from './approval-world.ts'

/** Where approvers give codes they decide in the portal; elsewhere by a word, or by a signature. */
export const worldKinds = ['sqlite', 'postgresql', 'sqlite, codes', 'postgresql, codes'] as const

type WorldKind = (typeof worldKinds)[number]

export interface ApprovalProofOptions {
  /** Kill -9 per world. */
  readonly kills: number
  /** Files per world. */
  readonly files: number
  readonly seed: number
  readonly kinds: readonly WorldKind[]
  onKill?(kind: WorldKind, kill: number): void
}

export interface ApprovalProof {
  readonly worlds: readonly (WorldReport & { readonly kind: WorldKind })[]
  /** Where the folders of a world with a broken promise were kept. */
  readonly kept?: string
}

/**
 * Random schedules of decisions and signatures, cancels, pauses, edited rules, altered copies and kills, checked
 * afterwards by what is there.
 */
export async function proveApprovals(options: ApprovalProofOptions): Promise<ApprovalProof> {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-approvals-'))
  const life = await compileFile(new URL('./approval-life.ts', import.meta.url))
  const authority = await startDemoPki({ keys: cachedKeys() })
  const worlds = []
  try {
    const keys = await keysIn(folder, authority)
    for (const kind of options.kinds)
      worlds.push({ kind, ...(await worldOf(kind, options, { folder, keys, ...life })) })
  } finally {
    life.remove()
    await authority.stop()
  }
  const isBroken = worlds.some(({ broken }) => broken.length > 0)
  if (!isBroken) rmSync(folder, { recursive: true, force: true })
  return { worlds, ...(isBroken && { kept: folder }) }
}

interface Surroundings {
  readonly folder: string
  readonly keys: ProofKeys
  readonly program: string
}

async function worldOf(
  kind: WorldKind,
  { kills, files, seed, onKill }: ApprovalProofOptions,
  { folder, keys: { ofProcess, ...keys }, program }: Surroundings,
): Promise<WorldReport> {
  const root = join(folder, kind.replaceAll(/\W+/g, '-'))
  mkdirSync(root)
  const postgres = kind.startsWith('postgresql') ? await startPostgres() : undefined
  const database = postgres ? await postgresDatabase(postgres.url, 'approvals') : sqliteDatabase(root)
  // One process on SQLite; two on PostgreSQL, which share the folders.
  const instances = postgres ? 2 : 1
  const asksForCodes = kind.endsWith('codes')
  const order = { root, databaseUrl: database.url, cluster: instances > 1, asksForCodes, ...ofProcess }
  try {
    return await new ApprovalWorld({
      program,
      order,
      ...keys,
      instances,
      kills,
      files,
      random: new Random(seed),
      onKill: (kill) => onKill?.(kind, kill),
    }).run()
  } finally {
    await postgres?.stop()
  }
}

export interface ProofKeys extends Pick<WorldOptions, 'certificates' | 'profileThumbprint'> {
  readonly ofProcess: Pick<LifeOrder, 'pkcs12File' | 'password' | 'rootsFile'>
}

/** The key of the profiles, the roots, and a certificate for everybody of the pools. */
export async function keysIn(folder: string, { pki }: Pick<RunningDemoPki, 'pki'>): Promise<ProofKeys> {
  const holder = await pki.issuePerson({ name: 'Maria da Silva', cpf: '71428793860' }, { key: 'P-256' })
  const [pkcs12File, rootsFile] = [join(folder, 'holder.p12'), join(folder, 'roots.pem')]
  const password = 'a password of the proof'
  writeFileSync(pkcs12File, pki.pkcs12(holder, { password }))
  writeFileSync(rootsFile, pki.trustAnchors())
  const certificates = await Promise.all(
    people.map(async ({ Name, Email, Cpf }) => [
      Email,
      await pki.issuePerson({ name: Name, cpf: Cpf }, { key: 'P-256' }),
    ]),
  )
  return {
    ofProcess: { pkcs12File, password, rootsFile },
    profileThumbprint: thumbprintOf(holder.x509),
    certificates: Object.fromEntries(certificates),
  }
}
