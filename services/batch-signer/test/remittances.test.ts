import { describe, expect, test } from 'vitest'
import { complete, databases, fail, type JobsWorld, sharedJobs } from './test-support/jobs-world.ts'

const aurora = { bankCode: '237', bankName: 'Bradesco', payerName: 'PADARIA AURORA LTDA', payerId: '11222333000181' }
const norte = { bankCode: '341', bankName: 'Itaú Unibanco', payerName: 'NORTE SA', payerId: null }

for (const database of databases) {
  const freshJobs = sharedJobs(database)

  describe(`what signed remittances pay on ${database}`, () => {
    test('is added up by day, bank and company, exactly, each signed remittance once', async () => {
      const world = await freshJobs()
      const most = Number.MAX_SAFE_INTEGER
      await signed(world, { ...aurora, totalCentavos: most, paymentCount: 2 })
      await signed(world, { ...aurora, payerName: 'Padaria Aurora', totalCentavos: most, paymentCount: 1 })
      await signed(world, { ...norte, totalCentavos: 1, paymentCount: 1 })
      await complete(world)
      const failed = await fail(world)
      await keep(world, failed.id, { ...aurora, totalCentavos: 5, paymentCount: 1 })
      const { status, body } = await world.json('GET', '/dashboard/api/remittances')
      expect(status).toBe(200)
      const day = '2026-11-15'
      const company = { companyName: 'PADARIA AURORA LTDA', companyId: aurora.payerId }
      expect(body).toEqual({
        from: '2026-11-09',
        to: day,
        rows: [
          {
            day,
            bankCode: '237',
            bankName: 'Bradesco',
            ...company,
            files: 2,
            payments: 3,
            totalCentavos: '18014398509481982',
          },
          {
            day,
            bankCode: '341',
            bankName: 'Itaú Unibanco',
            companyName: 'NORTE SA',
            companyId: null,
            files: 1,
            payments: 1,
            totalCentavos: '1',
          },
        ],
        totalCentavos: '18014398509481983',
      })
    })

    test('belongs to the day of the house, not of Greenwich', async () => {
      const world = await freshJobs()
      for (const moment of ['2026-11-15T02:59:59.998Z', '2026-11-16T02:59:59.998Z', '2026-11-16T02:59:59.999Z']) {
        world.clock.set(moment)
        await signed(world, { ...aurora, totalCentavos: 100, paymentCount: 1 })
      }
      const days = async (query: string) =>
        (await world.json('GET', `/dashboard/api/remittances${query}`)).body.rows.map((row: { day: string }) => row.day)
      expect(await days('')).toEqual(['2026-11-16', '2026-11-15', '2026-11-14'])
      expect(await days('?from=2026-11-15&to=2026-11-15')).toEqual(['2026-11-15'])
      const { status, body } = await world.json('GET', '/dashboard/api/remittances?from=2026-11-16&to=2026-11-15')
      expect([status, body.code]).toEqual([400, 'validation.filter-invalid'])
    })
  })
}

async function signed(world: JobsWorld, summary: object): Promise<void> {
  world.clock.advance(1)
  const { id } = await complete(world)
  await keep(world, id, summary)
}

const keep = (world: JobsWorld, id: string, summary: object) =>
  world.store.db
    .updateTable('job')
    .set({ cnab240: JSON.stringify(summary) })
    .where('id', '=', id)
    .execute()
