// Each output is delivered exactly once, however the service dies, to a consumer that takes files the moment it sees
// them.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openStore } from '@chancela/service-kernel/store'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import { compileFile } from '@chancela/testkit/programs'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, it, onTestFinished } from 'vitest'
import type { Tables } from '../src/store/tables.ts'
import type { Crash, LifePlan, LifeSetup } from '../src/workers/test-support/prove/life-plan.ts'
import { LifeProcess } from '../src/workers/test-support/prove/life-process.ts'

/** Around the moment at which an output is seen. */
const steps: readonly Crash['point'][] = [
  'fsync processing',
  'ledger.completed',
  'renameNewSync hidden',
  'fsync output',
  'unlinkSync input',
  'ledger.inputSettled',
]
const FILES_PER_LIFE = 3
const PASSWORD = 'a password of the test'

it('delivers every file once to a consumer that takes it at once, dying before and after each step', {
  timeout: 600_000,
}, async () => {
  const { setup, taken, drop } = await world()
  const program = await compileFile(new URL('../src/workers/test-support/prove/life.ts', import.meta.url))
  onTestFinished(() => program.remove())
  const deaths = steps.flatMap((point) => (['before', 'after'] as const).map((side) => ({ point, side, nth: 1 })))
  const names: string[] = []
  let next = new LifeProcess(program.program)
  for (const crash of deaths) {
    names.push(...drop(FILES_PER_LIFE))
    // The next process loads while this one works.
    const life = next
    next = new LifeProcess(program.program)
    expect([crash, await diesByPlan(life, setup, { crash })]).toEqual([crash, true])
  }
  const last = next
  await last.live(setup, {})
  last.work()
  const outputs = names.map((name) => `${name}.p7m`).sort()
  await expect.poll(() => [...new Set(taken())].sort(), { timeout: 120_000 }).toEqual(outputs)
  await expect.poll(() => readdirSync(join(setup.root, 'input')), { timeout: 120_000 }).toEqual([])
  await last.kill()
  expect(taken().sort()).toEqual(outputs)
  expect(await completedNames(setup.databaseUrl)).toEqual(names.sort())
})

/** False when the process did not reach its step, in recovery or at work. */
async function diesByPlan(life: LifeProcess, setup: LifeSetup, plan: LifePlan): Promise<boolean> {
  if (!(await life.live(setup, plan))) return true
  life.work()
  return life.killAfter(60_000)
}

async function world() {
  const root = temporaryFolder()
  for (const folder of ['input', 'output', 'taken']) mkdirSync(join(root, folder))
  const pki = await createDemoPki({ baseUrl: 'http://localhost:1', clock: () => new Date(), keys: cachedKeys() })
  const holder = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' }, { key: 'P-256' })
  const pkcs12File = join(root, 'holder.p12')
  writeFileSync(pkcs12File, pki.pkcs12(holder, { password: PASSWORD }))
  const consumer = startConsumer(join(root, 'output'), join(root, 'taken'))
  onTestFinished(() => void consumer.kill('SIGKILL'))
  let dropped = 0
  return {
    setup: { root, databaseUrl: `sqlite:${join(root, 'batch-signer.db')}`, pkcs12File, password: PASSWORD },
    /** The names of what was taken, once for each time. */
    taken: () => readdirSync(join(root, 'taken')).map((entry) => entry.slice(entry.indexOf('-') + 1)),
    drop: (count: number) =>
      Array.from({ length: count }, () => {
        dropped += 1
        const name = `file-${dropped}.bin`
        writeFileSync(join(root, 'input', name), name)
        return name
      }),
  }
}

/** A process of its own, which moves each file out of the output folder as soon as it sees it. */
function startConsumer(output: string, taken: string): ChildProcess {
  const script = `
    const { readdirSync, renameSync } = require('node:fs')
    const [output, taken] = process.argv.slice(1)
    let count = 0
    const take = () => {
      for (const entry of readdirSync(output, { withFileTypes: true }))
        if (entry.isFile()) renameSync(output + '/' + entry.name, taken + '/' + (count += 1) + '-' + entry.name)
      setTimeout(take, 1)
    }
    take()`
  return spawn(process.execPath, ['-e', script, output, taken], { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function completedNames(url: string): Promise<readonly string[]> {
  // The process was killed a moment ago; its last transaction is settled by opening the database.
  await delay(10)
  const store = await openStore<Tables>({ url, service: 'batch-signer' })
  const rows = await store.db.selectFrom('job').select('file_name').where('status', '=', 'Completed').execute()
  await store.close()
  return rows.map(({ file_name }) => file_name).sort()
}
