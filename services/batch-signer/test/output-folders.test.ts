// Outputs of a watched folder in a folder of their own, with mode, owner and group.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoHolders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { lyingIn } from './test-support/lying-in.ts'
import { databases, profileOf, type RunningBatchSigner, startBatchSigner } from './test-support/running-service.ts'

interface Job {
  readonly id: string
  readonly status: string
}

const [owner, group] = [process.getuid!(), process.getgid!()]

const start = (database: (typeof databases)[number], more: object) =>
  startBatchSigner({
    database,
    inputs: ['default', 'erp'],
    settings: { Storage: { Inputs: [{ Name: 'default', Path: 'in/default', ...more }] } },
  })

async function completed(service: RunningBatchSigner): Promise<Job> {
  const newest = async () => (await service.full.json<{ items: Job[] }>('GET', '/api/jobs')).body.items[0]
  await expect.poll(async () => (await newest())?.status).toBe('Completed')
  return (await newest())!
}

for (const database of databases)
  describe(`the output folder of a watched folder, on ${database}`, () => {
    test('gets its outputs with the configured mode, owner and group, and both surfaces and a deletion find them there', async () => {
      const settings = { OutputPath: 'in/erp', OutputMode: '0604', OutputOwner: `${owner}`, OutputGroup: `${group}` }
      const service = await start(database, settings)
      writeFileSync(join(service.input(), 'a.pdf'), samplePdf('A contract'))
      const { id } = await completed(service)
      const path = join(service.input('erp'), 'a.signed.pdf')
      await expect.poll(() => readdirSync(service.input('erp'))).toContain('a.signed.pdf')
      expect(lyingIn(service.output)).toEqual([])
      const { mode, uid, gid } = statSync(path)
      expect([mode & 0o777, uid, gid]).toEqual([0o604, owner, group])
      for (const answer of [
        await service.full.call('GET', `/api/jobs/${id}/output`),
        await service.compact.call('GET', `/api/jobs/${id}/output`),
      ]) {
        expect(answer.status).toBe(200)
        expect(Buffer.from(await answer.arrayBuffer()).equals(readFileSync(path))).toBe(true)
      }
      expect((await service.full.call('DELETE', '/api/jobs')).status).toBe(200)
      expect(lyingIn(service.input('erp'))).toEqual([])
    })
  })

test('a folder of the dashboard has an output folder at once, and options that outputs could not have are refused by name', async () => {
  const [database] = databases
  const [ana, bruno] = demoHolders
  const service = await startBatchSigner({
    database: database!,
    profiles: [
      profileOf(ana!.label, { Name: 'default', InputFolder: 'default' }),
      profileOf(bruno!.label, { Name: 'shop', Format: 'Pades' }),
    ],
  })
  const [path, outputPath] = [join(service.folder, 'shop'), join(service.folder, 'shop-signed')]
  for (const folder of [path, outputPath]) mkdirSync(folder)
  const add = async (options: object) => {
    const body = JSON.stringify({ name: 'shop', options: { path, ...options }, profile: 'shop' })
    const headers = { 'content-type': 'application/json' }
    return service.full.json<{ errors?: object }>('POST', '/dashboard/api/folders', { body, headers })
  }
  const refused = async (options: object) => Object.keys((await add(options)).body.errors ?? {})
  expect(await refused({ outputPath: 'shop-signed' })).toEqual(['outputPath'])
  expect(await refused({ outputPath: join(path, 'signed') })).toEqual(['outputPath'])
  expect(await refused({ outputPath: join(service.folder, 'nowhere') })).toEqual(['outputPath'])
  expect(await refused({ outputGroup: 'nobody-has-this-group' })).toEqual(['outputGroup'])
  expect(await refused({ outputOwner: 'root', outputGroup: 'nobody-has-this-group' })).toEqual(['outputGroup'])
  expect(await refused({ outputOwner: '--help' })).toEqual(['outputOwner'])
  const added = await add({ outputPath, outputMode: '0640' })
  expect(added.status, JSON.stringify(added.body)).toBe(201)
  writeFileSync(join(path, 'b.pdf'), samplePdf('A contract'))
  await expect.poll(() => readdirSync(outputPath)).toContain('b.signed.pdf')
  expect(statSync(join(outputPath, 'b.signed.pdf')).mode & 0o777).toBe(0o640)
})

test('a start that cannot give outputs their owner or group says so', async () => {
  const [database] = databases
  const unknown = start(database!, { OutputGroup: 'nobody-has-this-group' })
  await expect(unknown).rejects.toThrow(/names the group nobody-has-this-group, which this system does not know/)
})

test('an output folder inside a watched folder is refused: its outputs would be taken in', async () => {
  const [database] = databases
  await expect(start(database!, { OutputPath: 'in/default/signed' })).rejects.toThrow(/the output folder of default/)
})
