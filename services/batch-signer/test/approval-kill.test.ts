// A process that is killed between the envelope of an approver's signature and the decision that would have named it.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateCades } from '@chancela/signature-engine/cades'
import { cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { startPostgres } from '@chancela/testkit/postgres'
import { compileFile } from '@chancela/testkit/programs'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'
import { postgresDatabase, sqliteDatabase } from '../src/workers/test-support/prove/world-database.ts'
import {
  API_KEY,
  folderNames,
  inputOf,
  type LifeOrder,
  people,
  workOf,
} from '../src/workers/test-support/prove-approvals/approval-plan.ts'
import { ApprovalProcess } from '../src/workers/test-support/prove-approvals/approval-process.ts'
import { thumbprintOf } from '../src/workers/test-support/prove-approvals/approval-world.ts'
import { callerOf } from '../src/workers/test-support/prove-approvals/caller.ts'
import { ProofApprover } from '../src/workers/test-support/prove-approvals/proof-approver.ts'
import { keysIn } from '../src/workers/test-support/prove-approvals/prove-approvals.ts'
import { judgeOf } from './test-support/approver-world.ts'

const [ana, bruno] = people

test.each(['SQLite', 'PostgreSQL'] as const)(
  'the next decision works, and the file carries exactly the signatures that were recorded, on %s',
  async (database) => {
    const folder = temporaryFolder()
    const { program, remove } = await compileFile(
      new URL('../src/workers/test-support/prove-approvals/approval-life.ts', import.meta.url),
    )
    onTestFinished(remove)
    const authority = await startDemoPki({ keys: cachedKeys() })
    onTestFinished(() => authority.stop())
    const { ofProcess, certificates } = await keysIn(folder, authority)
    const postgres = database === 'PostgreSQL' ? await startPostgres() : undefined
    onTestFinished(async () => postgres?.stop())
    const { url } = postgres ? await postgresDatabase(postgres.url, 'killed') : sqliteDatabase(folder)
    const order: LifeOrder = {
      root: folder,
      databaseUrl: url,
      cluster: false,
      asksForCodes: false,
      ...ofProcess,
    }
    for (const name of folderNames) mkdirSync(inputOf(folder, name), { recursive: true })

    let living: ApprovalProcess | undefined
    const live = async (more: Partial<LifeOrder> = {}) => {
      await living?.kill()
      const { process, listening } = ApprovalProcess.begin(program, { ...order, ...more })
      living = process
      await listening
    }
    onTestFinished(async () => living?.kill())
    const call = callerOf(() => living?.baseUrl)
    const jobs = async () => (await call('GET', '/api/jobs', { key: API_KEY }))?.body.items ?? []
    const status = async () => (await jobs())[0]?.status
    const decisions = async (id: string) =>
      (await call('GET', `/api/jobs/${id}/approvals`, { key: API_KEY }))!.body.decisions
    const [anna, brunos] = [ana, bruno].map(({ Email }) => new ProofApprover(Email, certificates[Email]!, call))
    const own = (person: ProofApprover) => ({ issued: person.issued, isAltered: false })

    await live({ diesWithEnvelope: true })
    writeFileSync(join(inputOf(folder, 'signed'), 'day.rem'), 'payments of the day')
    await expect.poll(status).toBe('AwaitingApproval')
    const [{ id }] = await jobs()
    await anna!.enter(false)
    await brunos!.enter(false)
    // Killed by it: no answer, an envelope, and nobody who names it.
    expect(await anna!.sign(id, own(anna!), 1)).toEqual([{}])
    const kept = () => readdirSync(join(workOf(folder), 'processing', id)).filter((name) => name.endsWith('.p7m'))
    expect(kept()).toHaveLength(1)

    await live()
    expect(await decisions(id)).toEqual([])
    expect(await brunos!.sign(id, own(brunos!), 1)).toMatchObject([{ status: 200, released: false }])
    expect(await anna!.sign(id, own(anna!), 1)).toMatchObject([{ status: 200, released: true }])
    await expect.poll(status).toBe('Completed')
    expect((await decisions(id)).map(({ approverEmail }: { approverEmail: string }) => approverEmail)).toEqual([
      bruno.Email,
      ana.Email,
    ])
    // The output has its name, and what was collected is cleared away.
    await expect.poll(() => readdirSync(join(workOf(folder), 'processing'))).toEqual([])
    const output = readFileSync(join(workOf(folder), 'output/day.rem.p7m'))
    const { signatures } = await validateCades(output, { judge: judgeOf(authority), now: new Date() })
    expect(signatures.map(({ indication, signer }) => [indication, signer?.certificate.fingerprint]).sort()).toEqual(
      [anna!, brunos!].map(({ issued }) => ['valid', thumbprintOf(issued.x509)]).sort(),
    )
  },
)
