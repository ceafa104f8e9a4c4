import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { insertMany } from '../src/test-support/many-jobs.ts'
import { complete, databases, fail, type JobsWorld, queue, sharedJobs } from './test-support/jobs-world.ts'

const run = promisify(execFile)

/** The spreadsheet unpacked by independent tools: unzip, and xmllint on every part. */
async function exported(world: JobsWorld, query = '', headers: Record<string, string> = {}) {
  const answer = await world.call('GET', `/api/jobs/export${query}`, { headers })
  expect(answer.status).toBe(200)
  const folder = join(world.dataFolder, `export-${randomUUID()}`)
  await mkdir(folder)
  const file = join(folder, 'jobs.xlsx')
  await writeFile(file, Buffer.from(await answer.arrayBuffer()))
  await run('unzip', ['-q', file, '-d', folder])
  const parts = (await run('zipinfo', ['-1', file])).stdout.trim().split('\n')
  await run('xmllint', ['--noout', ...parts.map((part) => join(folder, part))])
  return { answer, parts, rows: rowsOf(await readFile(join(folder, 'xl/worksheets/sheet1.xml'), 'utf8')) }
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' }

/** Cells by their column letter. */
const rowsOf = (xml: string): Record<string, string>[] =>
  [...xml.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, cells = '']) =>
    Object.fromEntries(
      [...cells.matchAll(/<c r="([A-Z]+)\d+"[^>]*>(?:<is><t[^>]*>|<v>)(.*?)<\//gs)].map(([, column, value = '']) => [
        column,
        value.replace(/&\w+;/g, (entity) => entities[entity]!),
      ]),
    ),
  )

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`GET /api/jobs/export on ${database}`, () => {
    test('is a workbook of the jobs the filters leave, with who, when, filters and how many above', async () => {
      const world = await freshJobs()
      await complete(world, { fileName: 'a.pdf', encrypted: true })
      world.clock.advance(1_000)
      const failed = await fail(world, { fileName: 'b.pdf' })
      const { answer, parts, rows } = await exported(world, '?status=Failed&from=2026-11-15&to=2026-11-15')
      expect(answer.headers.get('content-type')).toBe(
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      )
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="jobs-20261115-120031.xlsx"')
      expect(parts).toContain('[Content_Types].xml')
      expect(rows.slice(0, 5)).toEqual([
        { A: 'Jobs' },
        { A: 'Exported by', B: 'api-key' },
        { A: 'Exported at', B: '2026-11-15 12:00:31 +00:00' },
        { A: 'Filters', B: 'Status: Failed; From: 2026-11-15; To: 2026-11-15' },
        { A: 'Jobs found', B: '1' },
      ])
      expect(Object.values(rows[5]!)).toEqual([
        'File name',
        'Format',
        'Profile',
        'Source',
        'Status',
        'Created (UTC)',
        'Updated (UTC)',
        'Input folder',
        'Original path',
        'CNAB total (R$)',
        'Payments',
        'Encrypted',
        'Error',
        'Retry of',
        'Job',
        'Cause',
        'Bank',
        'Company',
      ])
      expect(rows.slice(6)).toEqual([
        expect.objectContaining({
          A: 'b.pdf',
          B: 'Pades',
          E: 'Failed',
          L: 'no',
          M: 'It did not work.',
          O: failed.id,
          P: 'job.signing-failed',
        }),
      ])
    })

    test('holds the newest 10,000 rows and warns of the cut', async () => {
      const world = await freshJobs()
      const jobs = Array.from({ length: 10_003 }, (_, n) => ({
        id: randomUUID(),
        fileName: `${n}.pdf`,
        at: new Date(Date.parse('2026-11-15T00:00:00Z') + n).toISOString(),
        status: 'Queued' as const,
        profile: 'default',
        format: 'Pades' as const,
      }))
      await insertMany(world.store, jobs)
      const { rows } = await exported(world)
      expect(rows[4]).toEqual({ A: 'Jobs found', B: '10003' })
      expect(rows[5]!.A).toMatch(/^Only the newest 10000 /)
      expect(rows).toHaveLength(7 + 10_000)
      expect(rows[7]!.A).toBe('10002.pdf')
      expect(rows.at(-1)!.A).toBe('3.pdf')
    })

    test('a bad filter is refused', async () => {
      const world = await freshJobs()
      const { status, body } = await world.json('GET', '/api/jobs/export?from=2026-11-16&to=2026-11-15')
      expect([status, body.code]).toEqual([400, 'validation.filter-invalid'])
    })
  })
}

// The content of cells does not depend on the database.
describe('GET /api/jobs/export on SQLite', () => {
  const freshJobs = sharedJobs('SQLite')

  test('speaks the language of the culture cookie, else of the browser', async () => {
    const world = await freshJobs()
    await complete(world, { fileName: 'a.pdf' })
    const byBrowser = await exported(world, '', { 'accept-language': 'pt-BR,pt;q=0.9' })
    expect(byBrowser.rows.at(-1)!.E).toBe('Concluído')
    const cookie = { 'accept-language': 'pt-BR', cookie: 'chancela-culture=en-US' }
    expect((await exported(world, '', cookie)).rows.at(-1)!.E).toBe('Completed')
    expect((await exported(world)).rows.at(-1)!.E).toBe('Completed')
  })

  test('numbers are numbers, and no text of a stranger becomes a formula', async () => {
    const world = await freshJobs()
    const fileName = '=HYPERLINK("http://evil","<click> & pay").pdf'
    const job = await queue(world, { fileName, originalPath: join(world.dataFolder, 'in', 'x.pdf') })
    const cnab240 = JSON.stringify({
      totalCentavos: 123_456,
      paymentCount: 3,
      bankCode: '237',
      bankName: 'Bradesco',
      payerName: 'PADARIA AURORA LTDA',
      payerId: '11222333000181',
    })
    await world.store.db
      .updateTable('job')
      .set({ cnab240, error_message: '+1\u0001 \uFFFF' })
      .where('id', '=', job.id)
      .execute()
    const { rows } = await exported(world)
    const row = rows.at(-1)!
    expect(row.A).toBe(`'${fileName}`)
    expect(row.J).toBe('1234.56')
    expect(row.K).toBe('3')
    expect([row.Q, row.R]).toEqual(['237 Bradesco', 'PADARIA AURORA LTDA, 11222333000181'])
    expect(row.M).toBe("'+1\uFFFD \uFFFD")
    // Days since the end of 1899.
    expect((Number(row.F) - 25_569) * 86_400_000).toBeCloseTo(world.clock().getTime(), -2)
  })
})
