// Signing with a cloud certificate, from the page of a participant through the hub and a provider, and back.
import { MINUTE } from '@chancela/service-kernel/clock'
import { holders } from '@chancela/testkit/demo-pki'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { clock as hubClock } from '../../cloud-hub/test/test-support/pki.ts'
import { sharedCloud } from './test-support/cloud.ts'
import {
  createDocument,
  databases,
  type PlatformWorld,
  sharedPlatform,
  signer,
  startPlatform,
  testOnce,
  ticketOf,
  upload,
} from './test-support/platform-world.ts'
import { clock, contentOf, holder, judges, trusting } from './test-support/signers.ts'

const ANA = holder('ana-souza')
const walk = { holder: 'ana-souza' }

/** A browser with its cookies. */
interface Browser {
  cookies: string
}

/** Starts a signature in a browser; returns where the holder is sent. */
async function begin(world: PlatformWorld, documentId: string, browser: Browser, who = ANA.identifier) {
  const action = await ticketOf(world, documentId, who)
  return { action, ...(await beginWith(world, action, browser)) }
}

async function beginWith(world: PlatformWorld, action: { key: string; ticket: string }, browser: Browser, over = {}) {
  const { status, body, headers } = await world.json('POST', `/api/documents/keys/${action.key}/signature/cloud`, {
    ticket: action.ticket,
    ...over,
  })
  const cookie = headers.get('set-cookie')
  if (cookie) browser.cookies = `${browser.cookies}; ${cookie.split(';')[0]}`
  return { status, body, cookie }
}

/** Returns to the platform; gives where it redirects the browser, and the outcome for the page. */
async function comeBack(address: string, browser: Browser) {
  const answer = await fetch(address, { redirect: 'manual', headers: { cookie: browser.cookies } })
  const location = new URL(answer.headers.get('location')!, address)
  return { status: answer.status, headers: answer.headers, location, outcome: location.searchParams.get('cloud') }
}

const cloud = sharedCloud()

for (const database of databases) {
  describe(`a cloud certificate on ${database}`, () => {
    const platform = sharedPlatform(database, () => ({ settings: cloud().settings, clock }))
    const once = testOnce(database)
    const signatures = () => cloud().provider.calls.filter(({ operation }) => operation === 'signature').length
    const newDocument = (world: PlatformWorld) => createDocument(world, [signer(ANA)], { file: samplePdf('Contrato') })
    const statusOf = async (world: PlatformWorld, id: string) =>
      (await world.json('GET', `/api/documents/${id}`)).body.flowActions[0].status

    /** Goes through the hub as the participant of a document. */
    async function goThere(world: PlatformWorld, id: string, over: object = {}) {
      const browser: Browser = { cookies: '' }
      const begun = await begin(world, id, browser)
      const address = await cloud().back(begun.body.url, { ...walk, ...over })
      return { browser, begun, address }
    }

    test('signs the document as any certificate does, and the participant is back at the page of the action', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const before = signatures()
      const { browser, begun, address } = await goThere(world, id)
      expect(begun.cookie).toMatch(/; HttpOnly; SameSite=Lax$/)
      const { status, headers, location, outcome } = await comeBack(address, browser)
      expect([status, outcome]).toEqual([303, 'signed'])
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(location.pathname).toBe(`/document/key/${begun.action.key}/sign`)
      expect(location.searchParams.get('ticket')).toBe(begun.action.ticket)
      expect(signatures() - before).toBe(1)
      expect(await judges.pdf((await contentOf(world, id)).bytes, 1)).toContain('ANA')

      const { body: timeline } = await world.json('GET', `/api/documents/${id}/timeline`)
      expect(timeline.map(({ type }: { type: string }) => type)).toContain('Signed')
      const { body: info } = await world.json('GET', `/api/documents/keys/${begun.action.key}/signatures`)
      expect(JSON.stringify(info)).toContain('ANA')
    })

    test('a return that comes twice, at once or later, signs once and tells the same', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const before = signatures()
      const { browser, address } = await goThere(world, id)
      const both = await Promise.all([comeBack(address, browser), comeBack(address, browser)])
      expect(
        both
          .map(({ outcome }) => outcome)
          .sort()
          .at(0),
      ).toBe('signed')
      expect(both.every(({ outcome }) => ['signed', 'under-way'].includes(outcome!))).toBe(true)
      expect((await comeBack(address, browser)).outcome).toBe('signed')
      expect(signatures() - before).toBe(1)
      await judges.pdf((await contentOf(world, id)).bytes, 1)
    })

    once('a holder who says no loses nothing and can try again', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const before = signatures()
      const { browser, address } = await goThere(world, id, { decision: 'deny' })
      expect((await comeBack(address, browser)).outcome).toBe('denied')
      expect([await statusOf(world, id), signatures() - before]).toEqual(['Pending', 0])
      const again = await goThere(world, id)
      expect((await comeBack(again.address, again.browser)).outcome).toBe('signed')
    })

    once('another browser signs nothing: neither without the cookie, nor with that of another signature', async () => {
      const world = await platform()
      const [id, other] = [await newDocument(world), await newDocument(world)]
      const before = signatures()
      const { address, browser } = await goThere(world, id)
      const stranger = await comeBack(address, { cookies: '' })
      expect([stranger.status, stranger.location.pathname, stranger.location.search]).toEqual([
        303,
        '/cloud-elsewhere',
        '',
      ])

      // A session authorized for one document does not sign another.
      const mine = await goThere(world, other)
      const planted = new URL(mine.address)
      planted.searchParams.set('session', new URL(address).searchParams.get('session')!)
      expect((await comeBack(planted.href, mine.browser)).outcome).toBe('failed')
      expect(signatures() - before).toBe(0)
      expect([await statusOf(world, id), await statusOf(world, other)]).toEqual(['Pending', 'Pending'])
      expect((await comeBack(mine.address, mine.browser)).outcome).toBe('signed')
      expect((await comeBack(address, browser)).outcome).toBe('signed')
    })

    test('a holder who comes back too late signs nothing', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const { browser, address } = await goThere(world, id)
      clock.advance(16 * MINUTE)
      hubClock.advance(16 * MINUTE)
      expect((await comeBack(address, browser)).outcome).toBe('expired')
      expect(await statusOf(world, id)).toBe('Pending')
    })

    once.each(['', '?signing=x', '?signing=00000000-0000-0000-0000-000000000000&session=x', '?session=x&error=y'])(
      'a return with %j leads to a page that says so',
      async (query) => {
        await platform()
        const { status, location } = await comeBack(`${cloud().publicUrl}/cloud-return${query}`, { cookies: 'a=b' })
        expect([status, location.pathname]).toEqual([303, '/cloud-elsewhere'])
      },
    )

    once('the certificate of a company for which somebody else answers signs nothing', async () => {
      const world = await platform()
      // The action does not name the company, so that the hub cannot compare.
      const bruno = holder('bruno-lima')
      const asked = signer(bruno, { requiredCertificateHolderTypeToSign: 'Company' })
      const id = await createDocument(world, [asked], { file: samplePdf('Contrato') })
      const before = signatures()
      const browser: Browser = { cookies: '' }
      const begun = await begin(world, id, browser, bruno.identifier)
      const address = await cloud().back(begun.body.url, { holder: 'padaria-aurora' })
      expect((await comeBack(address, browser)).outcome).toBe('cpf-mismatch')
      expect((await comeBack(address, browser)).outcome).toBe('cpf-mismatch')
      expect([await statusOf(world, id), signatures() - before]).toEqual(['Pending', 0])
      // The unused authorization is ended at the hub, too.
      const session = new URL(address).searchParams.get('session')
      const { hub } = cloud()
      await expect
        .poll(async () => (await hub.json('GET', `/api/sessions/certificate?session=${session}`)).body.code)
        .toBe('SessionInvalidOrAlreadyUsed')
    })

    once('the certificate of the company that is asked for signs for the person who answers for it', async () => {
      const world = await platform()
      const { holder: bakery } = holders['padaria-aurora']!
      if (bakery.kind !== 'company' || !bakery.responsible) return expect.fail('It is a company.')
      const person = {
        name: bakery.responsible.name,
        identifier: bakery.responsible.cpf!,
        email: 'padaria@example.com',
      }
      const asked = signer(person, {
        requiredCertificateHolderTypeToSign: 'Company',
        requiredCompanyIdentifier: bakery.cnpj,
      })
      const id = await createDocument(world, [asked], { file: samplePdf('Contrato') })
      const browser: Browser = { cookies: '' }
      const begun = await begin(world, id, browser, person.identifier)
      const address = await cloud().back(begun.body.url, { holder: 'padaria-aurora' })
      expect((await comeBack(address, browser)).outcome).toBe('signed')
    })

    once('somebody else who signs in at the provider signs nothing', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const { browser, address } = await goThere(world, id, { holder: 'bruno-lima' })
      expect((await comeBack(address, browser)).outcome).toBe('denied')
      expect(await statusOf(world, id)).toBe('Pending')
    })

    once('a certificate that was revoked signs nothing', async () => {
      const world = await platform()
      const revoked = holder('revoked')
      const id = await createDocument(world, [signer(revoked)], { file: samplePdf('Contrato') })
      const before = signatures()
      const browser: Browser = { cookies: '' }
      const begun = await begin(world, id, browser, revoked.identifier)
      const address = await cloud().back(begun.body.url, { holder: 'revoked' })
      expect((await comeBack(address, browser)).outcome).toBe('certificate-invalid')
      expect(signatures() - before).toBe(0)
    })

    once.each([
      ['provider-failed', { status: 500, body: 'no' }],
      ['provider-failed', 'garbage'],
      ['signature-invalid', 'wrong-signature'],
    ] as const)('a provider that fails ends as %s (%j), and the next attempt signs', async (outcome, fault) => {
      const world = await platform()
      const id = await newDocument(world)
      const { browser, address } = await goThere(world, id)
      cloud().provider.fail('signature', fault)
      expect((await comeBack(address, browser)).outcome).toBe(outcome)
      expect(await statusOf(world, id)).toBe('Pending')
      const again = await goThere(world, id)
      expect((await comeBack(again.address, again.browser)).outcome).toBe('signed')
    })

    once('another file that came meanwhile is not signed unread', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const before = signatures()
      const { browser, address } = await goThere(world, id)
      const file = {
        id: await upload(world, samplePdf('Outro')),
        name: 'outro.pdf',
        displayName: 'outro.pdf',
        contentType: 'application/pdf',
      }
      expect((await world.json('POST', `/api/documents/${id}/versions`, { file })).status).toBe(200)
      expect((await comeBack(address, browser)).outcome).toBe('changed')
      expect(signatures() - before).toBe(0)
    })

    once('a document that was canceled meanwhile is not signed', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const { browser, address } = await goThere(world, id)
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'no longer' })
      expect((await comeBack(address, browser)).outcome).toBe('not-pending')
    })

    once('is shown where the signer placed the mark', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const action = await ticketOf(world, id, ANA.identifier)
      const browser: Browser = { cookies: '' }
      const signaturePosition = { pageNumber: 1, topLeftX: 50, topLeftY: 60, width: 200, height: 80 }
      const begun = await beginWith(world, action, browser, { signaturePosition, userTimeZoneOffset: -180 })
      const address = await cloud().back(begun.body.url, walk)
      expect((await comeBack(address, browser)).outcome).toBe('signed')
      expect((await contentOf(world, id)).bytes.toString('latin1')).toMatch(/\/Rect ?\[ ?50/)
    })

    once('begins only for a participant who can sign now, by the ticket', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const action = await ticketOf(world, id, ANA.identifier)
      const browser: Browser = { cookies: '' }
      const wrong = await beginWith(world, { ...action, ticket: 'x' }, browser)
      expect([wrong.status, wrong.body.code, wrong.cookie]).toEqual([422, 'ActionTicketInvalidOrExpired', null])
      await world.json('POST', `/api/documents/${id}/cancellation`, { reason: 'no longer' })
      expect((await beginWith(world, action, browser)).body.code).toBe('InvalidFlowAction')
    })

    once('leaves nothing in the log or the database that opens anything', async () => {
      const world = await platform()
      const id = await newDocument(world)
      const { browser, begun, address } = await goThere(world, id)
      expect((await comeBack(address, browser)).outcome).toBe('signed')
      const rows = JSON.stringify(await world.store.db.selectFrom('cloud_signing').selectAll().execute())
      const log = world.log()
      const session = new URL(address).searchParams.get('session')!
      for (const secret of [
        session,
        begun.action.ticket,
        browser.cookies.split('=').at(-1)!,
        ANA.identifier.replaceAll(/\D/g, ''),
      ]) {
        expect(rows).not.toContain(secret)
        expect(log).not.toContain(secret)
      }
    })
  })
}

describe('a platform', () => {
  const begun = async (world: PlatformWorld) => {
    const id = await createDocument(world, [signer(ANA)])
    const action = await ticketOf(world, id, ANA.identifier)
    const { body: shown } = await world.json(
      'GET',
      `/api/documents/keys/${action.key}/action?${new URLSearchParams(action)}`,
    )
    return { offered: shown.action.allowCloudCertificate, ...(await beginWith(world, action, { cookies: '' })) }
  }

  test('without a hub offers nothing', async () => {
    const { offered, status, body } = await begun(await startPlatform('SQLite', { settings: trusting(), clock }))
    expect([offered, status, body.code]).toEqual([false, 422, 'CloudCertificatesNotAvailable'])
  })

  test('whose hub is not there says so', async () => {
    const settings = { ...trusting(), CloudHub: { Endpoint: 'http://127.0.0.1:9', ApiKey: 'k' } }
    const { offered, status, body } = await begun(await startPlatform('SQLite', { settings, clock }))
    expect([offered, status, body.code]).toEqual([true, 422, 'CloudCertificatesNotAvailable'])
    expect(body.details.reason).toBe('unreachable')
  })
})
