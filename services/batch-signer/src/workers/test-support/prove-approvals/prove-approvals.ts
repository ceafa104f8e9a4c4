import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { startPostgres } from '@chancela/testkit/postgres'
import { compileFile } from '@chancela/testkit/programs'
import { Random } from '../prove/random.ts'
import { postgresDatabase, sqliteDatabase } from '../prove/world-database.ts'
import type { LifeOrder } from './approval-plan.ts'
import { ApprovalWorld, type WorldReport } from './approval-world.ts'

export const worldKinds = ['sqlite', 'postgresql'] as const

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

/** One process on SQLite; two on PostgreSQL, which share the folders. */
const instancesOf: Readonly<Record<WorldKind, number>> = { sqlite: 1, postgresql: 2 }

/** Random schedules of decisions, cancels, pauses, altered copies and kills, checked afterwards by what is there. */
export async function proveApprovals(options: ApprovalProofOptions): Promise<ApprovalProof> {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-approvals-'))
  const life = await compileFile(new URL('./approval-life.ts', import.meta.url))
  const key = await keyIn(folder)
  const worlds = []
  try {
    for (const kind of options.kinds) worlds.push({ kind, ...(await worldOf(kind, options, { folder, key, ...life })) })
  } finally {
    life.remove()
  }
  const isBroken = worlds.some(({ broken }) => broken.length > 0)
  if (!isBroken) rmSync(folder, { recursive: true, force: true })
  return { worlds, ...(isBroken && { kept: folder }) }
}

interface Surroundings {
  readonly folder: string
  readonly key: Pick<LifeOrder, 'pkcs12File' | 'password'>
  readonly program: string
}

async function worldOf(
  kind: WorldKind,
  { kills, files, seed, onKill }: ApprovalProofOptions,
  { folder, key, program }: Surroundings,
): Promise<WorldReport> {
  const root = join(folder, kind)
  mkdirSync(root)
  const postgres = kind === 'postgresql' ? await startPostgres() : undefined
  const database = postgres ? await postgresDatabase(postgres.url, 'approvals') : sqliteDatabase(root)
  const instances = instancesOf[kind]
  const order = { root, databaseUrl: database.url, cluster: instances > 1, ...key }
  try {
    return await new ApprovalWorld({
      program,
      order,
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

async function keyIn(folder: string): Promise<Surroundings['key']> {
  const pki = await createDemoPki({ baseUrl: 'http://localhost:1', clock: () => new Date(), keys: cachedKeys() })
  const holder = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' }, { key: 'P-256' })
  const key = { pkcs12File: join(folder, 'holder.p12'), password: 'a password of the proof' }
  writeFileSync(key.pkcs12File, pki.pkcs12(holder, { password: key.password }))
  return key
}
