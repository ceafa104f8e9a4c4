import { setEndpointState } from '@chancela/outbox/webhooks'
import { DAY, HOUR } from '@chancela/service-kernel/clock'
import { testClock } from '@chancela/testkit/clock'
import { describe, expect, test, vi } from 'vitest'
import { administration } from './test-support/administration.ts'
import { later, laterSwept } from './test-support/look-now.ts'
import {
  approver,
  createDocument,
  databases,
  newOrganization,
  type PlatformWorld,
  people,
  sharedPlatform,
  startPlatform,
  testOnce,
  ticketOf,
  untilKnown,
  upload,
} from './test-support/platform-world.ts'
import { openReceiver } from './test-support/receive-events.ts'

const Prices = [
  { TransactionType: 'Document', PricingType: 'Simple', Price: 0.5 },
  { TransactionType: 'Approval', PricingType: 'Range', Ranges: [{ Limit: 1, Price: 2 }, { Price: 0.1 }] },
]
const settings = { Billing: { Prices } }

const invoices = ({ store, organization }: PlatformWorld) =>
  store.db.selectFrom('invoice').selectAll().where('organization_id', '=', organization.id).orderBy('id').execute()

const closed = (world: PlatformWorld, count: number) =>
  vi.waitUntil(async () => (await invoices(world)).length >= count, { interval: 20 })

/** Advances the clock to a moment and runs what is due. */
const moveTo = (world: PlatformWorld, moment: string): Promise<void> =>
  later(world, Date.parse(moment) - world.clock().getTime())

for (const database of databases) {
  describe(`invoices on ${database}`, () => {
    const platform = sharedPlatform(database, () => ({ settings, clock: testClock('2026-11-30T23:00:00.000Z') }))
    const once = testOnce(database)

    test('a month is closed after its end in the default time zone, and told to the webhook of the instance', async () => {
      const world = await platform()
      const admin = administration(world)
      const receiver = await openReceiver()
      const billingInformation = { email: 'a@b.co', phone: '1', zipCode: '1', city: 'c', state: 'SP' }
      const path = `/api/organizations/${world.organization.id}`
      await world.json('PUT', path, { name: 'Santa Clara', billingInformation })
      const set = await admin('PUT', '/api/admin/billing-webhook', {
        url: receiver.url,
        authType: 'Bearer',
        token: 'abc',
      })
      expect(set.body).toEqual({ webhookId: expect.any(String), secret: expect.stringMatching(/^whsec_/) })
      const document = await createDocument(world, [approver(people.ana), approver(people.bruno)])
      await createDocument(world, [approver(people.ana)], { file: Buffer.from('abc'), name: 'a.txt' })
      for (const { identifier } of [people.ana, people.bruno]) {
        const { key, ticket } = await ticketOf(world, document, identifier)
        expect((await world.json('POST', `/api/documents/keys/${key}/approval`, { ticket })).status).toBe(200)
      }
      // 00:30 of December 1st in São Paulo: the month has ended, but less than an hour ago.
      await moveTo(world, '2026-12-01T03:30:00.000Z')
      await world.json('GET', '/api/documents')
      expect(await invoices(world)).toEqual([])
      await moveTo(world, '2026-12-01T04:00:01.000Z')
      const event = await receiver.next('InvoiceClosed')
      const [invoice] = await invoices(world)
      expect(invoice!.closed_at).toBe('2026-12-01T04:00:01.000Z')
      const { fileSize } = (await world.json('GET', `/api/documents/${document}`)).body
      const id = Number(invoice!.id)
      const organization = { id: world.organization.id, name: 'Santa Clara', identifier: null, owner: null }
      const total = (transactionType: string, price: object, total: number, value: number) => ({
        transactionType,
        price: { transactionType, ...price, limit: null },
        total,
        totalInTrialPeriod: 0,
        value,
      })
      const range = { limit: 1, price: 2 }
      const invoiceTotals = [
        total(
          'Approval',
          { pricingType: 'Range', price: null, priceRanges: [range, { limit: null, price: 0.1 }] },
          2,
          2.1,
        ),
        total('Document', { pricingType: 'Simple', price: 0.5, priceRanges: [] }, 2, 1),
      ]
      const data = {
        id,
        month: 11,
        year: 2026,
        value: 3.1,
        invoiceTotals,
        organization,
        billingInformation,
        totalStorageUsed: fileSize + 3,
      }
      expect(event.body).toBe(JSON.stringify({ type: 'InvoiceClosed', data }))
    })

    test('a month is closed once, whatever instances and restarts there are', async () => {
      const world = await startPlatform(database, { settings })
      await createDocument(world, [approver(people.ana)])
      const others = await Promise.all([1, 2].map(() => startPlatform(database, { after: world, settings })))
      await later(world, 40 * DAY)
      await closed(world, 1)
      await createDocument(world, [approver(people.ana)])
      for (const each of [world, ...others]) await each.stop()
      world.clock.advance(40 * DAY)
      const next = await startPlatform(database, { after: world, settings })
      await closed(next, 2)
      await next.json('GET', '/api/documents')
      expect((await invoices(next)).map(({ year, month, value }) => [year, month, value])).toEqual([
        [2026, 11, 0.5],
        [2026, 12, 0.5],
      ])
    })

    test('the storage counts signed files beside their originals, and attachments, and nothing that was deleted', async () => {
      const world = await platform()
      const attachments = [{ id: await upload(world, Buffer.alloc(700, 'a')), name: 'anexo.bin', displayName: 'Anexo' }]
      const kept = await createDocument(world, [approver(people.ana)], {
        file: Buffer.alloc(1000),
        name: 'a.bin',
        attachments,
      })
      const gone = await createDocument(world, [approver(people.ana)], {
        file: Buffer.alloc(5000),
        name: 'b.bin',
        attachments,
      })
      await world.json('DELETE', `/api/documents/${gone}`)
      await world.store.db
        .updateTable('document')
        .set({ current_digest: 'f'.repeat(64), current_size: 1500 })
        .where('id', '=', kept)
        .execute()
      await later(world, 40 * DAY)
      await closed(world, 1)
      expect((await invoices(world))[0]!.storage_bytes).toBe(3200)
    })

    test('invoices are listed and paid by whoever has the right', async () => {
      const world = await platform()
      await moveTo(world, '2027-06-15T12:00:00.000Z')
      await createDocument(world, [approver(people.ana)])
      const billing = await newOrganization(world.store, world.clock(), 'Cobrança', { role: 'Billing' })
      await untilKnown(world.baseUrl, billing.apiKey)
      await later(world, 40 * DAY)
      await closed(world, 1)
      const call = (method: string, path: string, body?: unknown) =>
        world.json(method, path, body, { 'X-Api-Key': billing.apiKey })
      expect(await world.json('GET', '/api/invoices')).toMatchObject({ status: 403 })
      const own = `/api/invoices?OrganizationId=${world.organization.id}`
      const { body } = await call('GET', own)
      expect(body).toMatchObject({ totalCount: 1, items: [{ month: 6, year: 2027, value: 0.5, isPaid: false }] })
      expect(body.items[0].id).toEqual(expect.any(Number))
      const path = `/api/invoices/${body.items[0].id}/payment`
      expect(await world.json('PUT', path, { isPaid: true })).toMatchObject({ status: 403 })
      expect((await call('PUT', path, { isPaid: true })).status).toBe(200)
      expect((await call('GET', own)).body.items[0].isPaid).toBe(true)
      expect((await call('PUT', path, { isPaid: false })).status).toBe(200)
      expect((await call('GET', own)).body.items[0].isPaid).toBe(false)
      for (const id of ['999999', 'abc'])
        expect(await call('PUT', `/api/invoices/${id}/payment`, { isPaid: true })).toMatchObject({
          status: 422,
          body: { code: 'InvoiceNotFound' },
        })
      expect((await call('GET', `/api/invoices?organizationId=${crypto.randomUUID()}`)).body.items).toEqual([])
    })

    once('months stay open where invoices are not closed', async () => {
      const off = { Billing: { Prices, CloseInvoices: false } }
      const world = await startPlatform(database, { settings: off })
      await createDocument(world, [approver(people.ana)])
      await laterSwept(world, 40 * DAY + HOUR)
      expect(await invoices(world)).toEqual([])
    })

    test('the webhook of the instance that was switched off works again when it is set, with its authentication', async () => {
      const world = await platform()
      const admin = administration(world)
      const path = '/api/admin/billing-webhook'
      const ownerId = '00000000-0000-0000-0000-000000000001'
      const auth = { authType: 'ApiKey', token: 'x' }
      const { webhookId: id } = (await admin('PUT', path, { url: 'https://example.com/a', ...auth })).body
      await setEndpointState(world.store.db, { ownerId, id }, 'disabled', 'It was off.', world.clock())
      expect((await admin('PUT', path, { url: 'https://example.com/b' })).status).toBe(200)
      expect((await admin('GET', `/api/organizations/${ownerId}`)).body.webhooks).toMatchObject([
        { id, url: 'https://example.com/b', authType: 'ApiKey', hasToken: true, state: 'enabled', stateReason: null },
      ])
      expect((await admin('PUT', path, { url: 'https://example.com/b', authType: 'NoAuth' })).status).toBe(200)
      expect(await admin('PUT', path, { url: 'https://example.com/b', token: 'y' })).toMatchObject({
        status: 400,
        body: { code: 'InvalidRequest', details: { authType: expect.any(String) } },
      })
      await admin('PUT', path, { url: null })
    })

    test('the webhook of the instance is changed and removed', async () => {
      const world = await platform()
      const admin = administration(world)
      const path = '/api/admin/billing-webhook'
      const { body: made } = await admin('PUT', path, { url: 'https://example.com/a' })
      const { body: changed } = await admin('PUT', path, {
        url: 'https://example.com/b',
        authType: 'ApiKey',
        token: 'x',
      })
      expect(changed).toEqual({ webhookId: made.webhookId, secret: null })
      const system = '/api/organizations/00000000-0000-0000-0000-000000000001'
      expect((await admin('GET', system)).body.webhooks).toMatchObject([
        { url: 'https://example.com/b', authType: 'ApiKey', eventTypes: ['InvoiceClosed'] },
      ])
      expect(await admin('PUT', path, { url: 'http://10.0.0.1/' })).toMatchObject({
        status: 422,
        body: { code: 'WebhookUrlNotAllowed' },
      })
      expect((await admin('PUT', path, { url: 'https://example.com/', authType: 'Digest' })).status).toBe(400)
      expect((await admin('PUT', path, { url: null })).body).toEqual({ webhookId: null, secret: null })
      expect((await admin('GET', system)).body.webhooks).toEqual([])
      expect(await world.json('PUT', path, { url: null })).toMatchObject({ status: 403 })
    })
  })
}
