// Archives are renewed before they end (credentials-platform facts 1.8, 2.8).
import { DAY } from '@chancela/service-kernel/clock'
import { LOOK_NOW } from '@chancela/service-kernel/workers'
import { startReceiver } from '@chancela/testkit/receiver'
import { callerOf } from '@chancela/testkit/service-world'
import { describe, expect, test, vi } from 'vitest'
import { type CredentialWorld, databases, sharedPlatform } from './test-support/credential-world.ts'
import { clock, pki, running, signingSettings } from './test-support/pki.ts'
import { closedDegree, closedDocumentation, issuer, newCode, registrar } from './test-support/registry.ts'
import { giveFile, partnersAt, soon } from './test-support/two-institutes.ts'

const lookNow = ({ store }: CredentialWorld) => store.transaction((tx) => store.notify(tx, LOOK_NOW))

/** The timestamp authority gets a certificate that lives longer than its last one. */
const renewAuthority = () =>
  pki.issueService(
    'tsa',
    { name: 'Carimbo do Tempo', issuer: 'level-2', key: 'RSA-2048', usage: 'timeStamping', policy: 'T3' },
    pki.certificate('tsa').key,
  )

// One database alone: time goes forward for the one PKI of this file.
describe(`restamps on ${databases[0]}`, () => {
  const settings = { ...signingSettings, Webhooks: { AllowedHosts: ['127.0.0.1/32'], RestampEvents: true } }
  const open = sharedPlatform(databases[0]!, settings, clock)

  test('are planned, fail while nothing is gained or no authority answers, are tried again and applied', async () => {
    const world = open()
    const { faculty } = await partnersAt(world)
    const receiver = await startReceiver()
    const hook = `/api/subscriptions/${faculty.subscriptionId}/webhook`
    await faculty.json('PUT', hook, { enabled: true, url: receiver.url })
    const told = (type: string) =>
      vi.waitUntil(
        () => receiver.received.map(({ body }) => JSON.parse(body)).find((event) => event.type === type),
        soon,
      )
    const restamps = async () => (await faculty.json('GET', '/api/restamps')).body.items

    const code = `${issuer.code}.${registrar.code}.${newCode()}`
    const degree = await closedDegree(await closedDocumentation(), { code })
    const id = await faculty.items.create('Degree', { status: 'Concluded', verification_code: code }, true)
    await giveFile(world, id, 'public-xml', degree)
    await lookNow(world)
    const ends = new Date(pki.certificate('tsa').x509.validTo)
    expect(await restamps()).toEqual([])

    clock.set(new Date(ends.getTime() - 179 * DAY))
    await lookNow(world)
    const created = await told('RestampCreated')
    expect(created.data).toMatchObject({
      documentType: 'Degree',
      documentId: id,
      identifier: code,
      archivingExpiringDate: ends.toISOString(),
      date: new Date(ends.getTime() - 90 * DAY).toISOString(),
      status: 'Scheduled',
    })
    clock.set(new Date(ends.getTime() - 89 * DAY))
    running.faults.set('tsa', { kind: 'http-500' })
    await lookNow(world)
    const failed = await told('RestampApplyingError')
    expect(failed.data.errorReason).not.toBeNull()
    running.faults.clear()
    await renewAuthority()
    const retried = await faculty.json('POST', `/api/restamps/${failed.data.id}/retry`)
    expect([retried.status, retried.body.status]).toEqual([200, 'Scheduled'])
    await told('RestampUpdated')
    await lookNow(world)
    const applied = await told('RestampApplied')
    const later = new Date(pki.certificate('tsa').x509.validTo).toISOString()
    expect(applied.data.archivingExpiringDate).toBe(later)
    expect(later > ends.toISOString()).toBe(true)

    // Whoever downloads gets the renewed copy; the older one is still known as issued.
    const xml = Buffer.from(await (await callerOf(world.baseUrl).call('GET', `/${code}.xml`)).arrayBuffer())
    expect(xml.length).toBeGreaterThan(degree.length)
    const headers = { 'content-type': 'application/xml' }
    for (const bytes of [degree, xml]) {
      const body = Uint8Array.from(bytes)
      const report = await (await callerOf(world.baseUrl).call('POST', '/public/verify', { body, headers })).json()
      expect(report).toMatchObject({ verdict: 'accepted', sameAsIssued: true })
    }
    await lookNow(world)
    expect(await restamps()).toHaveLength(1)
    // What was annulled is not renewed any more.
    const annulled = { cancellation_reason: 'ErroDeFato', annulled_at: clock().toISOString() }
    await faculty.items.change('Degree', id, 'annul', annulled)
    clock.set(new Date(new Date(later).getTime() - 100 * DAY))
    await lookNow(world)
    const archives = () => world.store.db.selectFrom('archive').select('item_id').where('item_id', '=', id).execute()
    await vi.waitUntil(async () => (await archives()).length === 0, soon)
    expect(await restamps()).toHaveLength(1)
    expect((await faculty.json('POST', `/api/restamps/${failed.data.id}/retry`)).body.code).toBe('invalid-transition')
  })
})
