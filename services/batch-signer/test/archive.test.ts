import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { get } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { complete, databases, type JobsWorld, queue, sharedJobs } from './test-support/jobs-world.ts'

const run = promisify(execFile)

const archivePath = (ids: readonly string[]): string => `/api/jobs/archive?${ids.map((id) => `id=${id}`).join('&')}`

async function download(world: JobsWorld, ids: readonly string[]) {
  const answer = await world.call('GET', archivePath(ids))
  expect(answer.status).toBe(200)
  const file = join(world.dataFolder, 'archive.zip')
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  return { answer, file }
}

const entriesOf = async (file: string): Promise<string[]> =>
  (await run('zipinfo', ['-1', file])).stdout.trim().split('\n')

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`GET /api/jobs/archive on ${database}`, () => {
    test('is a ZIP of the outputs, stored without compression, that unzip accepts', async () => {
      const world = await freshJobs()
      const big = 'y'.repeat(2_000_000)
      const jobs = [
        await complete(world, { fileName: 'Relatório.pdf' }),
        await complete(world, { fileName: 'b.pdf', output: big }),
      ]
      // Duplicates are merged, in any case.
      const { answer, file } = await download(world, [...jobs.map(({ id }) => id), jobs[0]!.id.toUpperCase()])
      expect(answer.headers.get('content-type')).toBe('application/zip')
      expect(answer.headers.get('content-disposition')).toBe(
        'attachment; filename="chancela-signed-20261115-120030.zip"',
      )
      await run('unzip', ['-tqq', file])
      expect(await entriesOf(file)).toEqual(['Relatório.signed.pdf', 'b.signed.pdf'])
      expect((await run('zipinfo', [file])).stdout.match(/ stor /g)).toHaveLength(2)
      expect((await run('unzip', ['-p', file, 'b.signed.pdf'], { maxBuffer: 4e6 })).stdout).toBe(big)
    })

    test('of equal names the later entry gets its job id before the last extension', async () => {
      const world = await freshJobs()
      const first = await complete(world, { fileName: 'a.pdf', output: 'one' })
      const other = await complete(world, { fileName: 'b.pdf', output: 'two' })
      // Renamed later: two outputs that differ in case only, which a case-insensitive file system cannot hold.
      await world.store.db.updateTable('job').set({ file_name: 'A.pdf' }).where('id', '=', other.id).execute()
      await writeFile(world.work.outputPath('A.signed.pdf'), 'two')
      const { file } = await download(world, [first.id, other.id])
      expect(await entriesOf(file)).toEqual(['a.signed.pdf', `A.signed.${other.id}.pdf`])
    })

    test('lists missing files in MISSING.txt; 410 job.output-gone only when none is left', async () => {
      const world = await freshJobs()
      const [kept, gone] = [
        await complete(world, { fileName: 'kept.pdf' }),
        await complete(world, { fileName: 'gone.pdf' }),
      ]
      await rm(world.work.outputPath(gone.outputName))
      const { file } = await download(world, [gone.id, kept.id])
      expect(await entriesOf(file)).toEqual(['kept.signed.pdf', 'MISSING.txt'])
      const { stdout } = await run('unzip', ['-p', file, 'MISSING.txt'])
      expect(stdout).toContain(gone.id)
      expect(stdout).toContain('gone.pdf')
      await rm(world.work.outputPath(kept.outputName))
      expect(await refusal(world, archivePath([gone.id, kept.id]))).toEqual([410, 'job.output-gone'])
    })

    test('refuses before the first byte: no id, too many, no GUID, unknown, not Completed', async () => {
      const world = await freshJobs()
      const done = await complete(world)
      const queued = await queue(world)
      const ids = (n: number) => Array.from({ length: n }, () => randomUUID())
      expect(await refusal(world, '/api/jobs/archive')).toEqual([400, 'job.archive-empty'])
      expect(await refusal(world, archivePath(ids(51)))).toEqual([400, 'job.archive-too-large'])
      expect(await refusal(world, archivePath([done.id, 'nonsense']))).toEqual([400, 'validation.filter-invalid'])
      expect(await refusal(world, '/api/jobs/archive?id=')).toEqual([400, 'validation.filter-invalid'])
      expect(await refusal(world, archivePath([done.id, randomUUID()]))).toEqual([404, 'job.not-found'])
      const { status, body } = await world.json('GET', archivePath([done.id, queued.id]))
      expect([status, body.code]).toEqual([409, 'job.output-unavailable'])
      expect(body).toMatchObject({ details: { jobIds: [queued.id] }, errors: { id: [`${queued.id}: Queued`] } })
    })
  })
}

// Limits and broken streams do not depend on the database.
describe('GET /api/jobs/archive on SQLite', () => {
  const freshJobs = sharedJobs('SQLite')

  test('50 distinct jobs are not too many', async () => {
    const world = await freshJobs()
    const jobs = []
    for (let n = 0; n < 50; n += 1) jobs.push(await complete(world, { fileName: `${n}.pdf` }))
    const { file } = await download(
      world,
      [...jobs, ...jobs].map(({ id }) => id),
    )
    expect(await entriesOf(file)).toHaveLength(50)
  })

  test('a read failure cuts the connection, and what arrived is no valid ZIP', async () => {
    const world = await freshJobs()
    const [first, second] = [
      await complete(world, { fileName: 'first.pdf', output: 'z'.repeat(8_000_000) }),
      await complete(world, { fileName: 'second.pdf', output: 'z'.repeat(8_000_000) }),
    ]
    const path = archivePath([first.id, second.id])
    const { received, complete: isComplete } = await partial(world, path, () =>
      truncate(world.work.outputPath(second.outputName), 1_000),
    )
    expect(isComplete).toBe(false)
    const file = join(world.dataFolder, 'cut.zip')
    await writeFile(file, received)
    expect((await readFile(file)).length).toBeGreaterThan(0)
    await expect(run('unzip', ['-tqq', file])).rejects.toThrow()
  })
})

/** Reads an answer to its end, or until it is cut; `meanwhile` runs after its first bytes and before the rest. */
function partial(world: JobsWorld, path: string, meanwhile: () => Promise<void>) {
  return new Promise<{ received: Buffer; complete: boolean }>((resolve, reject) => {
    const request = get(
      `${world.baseUrl}${path}`,
      { headers: { 'X-API-Key': 'operator-key-of-the-tests' } },
      (answer) => {
        const chunks: Buffer[] = []
        let begun = false
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if (begun) return
          begun = true
          answer.pause()
          meanwhile().then(() => answer.resume(), reject)
        })
        answer.on('error', () => {})
        answer.on('close', () => resolve({ received: Buffer.concat(chunks), complete: answer.complete }))
      },
    )
    request.on('error', reject)
  })
}

async function refusal(world: JobsWorld, path: string): Promise<[number, string]> {
  const { status, body } = await world.json('GET', path)
  return [status, body.code]
}
