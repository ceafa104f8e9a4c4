// A person signs the documents of a session with a cloud certificate: through the hub and a provider, and back.
import { MINUTE } from '@chancela/service-kernel/clock'
import { samplePdf } from '@chancela/testkit/samples'
import { describe, expect, test } from 'vitest'
import { clock as hubClock } from '../../cloud-hub/test/test-support/pki.ts'
import { sharedCloud } from './test-support/cloud.ts'
import { type CoreWorld, clientAt, databases, sharedCore, startCore, testOnce } from './test-support/core-world.ts'
import { clock } from './test-support/pki.ts'
import { begin, readSession, signAll, signedFiles } from './test-support/sessions.ts'
import { inline, opensslAccepts, pdfsig } from './test-support/signing.ts'

const ANA = 'ana-souza'
const ANA_CPF = '52998224725'
const contract = samplePdf('Contract')
const pdf = { file: inline('contract.pdf', contract) }
const PATH = '/api/signature-session/cloud-signatures'

type Session = Awaited<ReturnType<typeof begin>>

/** A browser with its cookies. */
interface Browser {
  cookies: string
}

/** Starts a signature in a browser; gives where the holder is sent. */
async function ask(session: Session, browser: Browser) {
  const { status, body, headers } = await session.page('POST', PATH)
  const cookie = headers.get('set-cookie')
  if (cookie) browser.cookies = `${browser.cookies}; ${cookie.split(';')[0]}`
  return { status, body, cookie }
}

/** Returns to the service; gives where it redirects the browser, and the outcome for the page. */
async function comeBack(address: string, browser: Browser) {
  const answer = await fetch(address, { redirect: 'manual', headers: { cookie: browser.cookies } })
  const location = new URL(answer.headers.get('location')!, address)
  return { status: answer.status, headers: answer.headers, location, outcome: location.searchParams.get('cloud') }
}

const cloud = sharedCloud()

for (const database of databases) {
  describe(`a cloud certificate in a session on ${database}`, () => {
    const open = sharedCore(database, () => cloud().settings)
    const once = testOnce(database)
    const signatures = () => cloud().provider.calls.filter(({ operation }) => operation === 'signature').length
    const statusOf = async (world: Pick<CoreWorld, 'call' | 'json'>, id: string) =>
      (await readSession(world, id)).status

    /** Goes through the hub as the person of a session. */
    async function goThere(session: Session, walk: object = {}) {
      const browser: Browser = { cookies: '' }
      const begun = await ask(session, browser)
      const address = await cloud().back(begun.body.url, { holder: ANA, ...walk })
      return { browser, begun, address }
    }

    test('signs one document, and the person is back at the page of the session', async () => {
      const world = open()
      const session = await begin(world, {
        documents: [pdf],
        certificateRequirements: [{ type: 'Cpf', argument: ANA_CPF }],
      })
      expect((await session.page('GET', '/api/signature-session')).body.allowCloudCertificate).toBe(true)
      const before = signatures()
      const { browser, begun, address } = await goThere(session)
      expect(begun.cookie).toMatch(/; HttpOnly; SameSite=Lax$/)
      const { status, headers, location, outcome } = await comeBack(address, browser)
      expect([status, outcome]).toEqual([303, 'signed'])
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cache-control')).toBe('no-store')
      expect(location.pathname).toBe('/signature-session/sign')
      expect(location.searchParams.get('token')).toBe(session.token)
      expect(signatures() - before).toBe(1)
      const completed = await readSession(world, session.id)
      expect(completed).toMatchObject({ status: 'Completed', signerCertificate: { pkiBrazil: { cpf: ANA_CPF } } })
      const [signed] = await signedFiles(completed)
      expect(await pdfsig(signed!)).toContain('Signature is Valid.')
    })

    test('signs several documents by one authorization and one call of the provider', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdf, { file: inline('notes.txt', 'notes') }] })
      const before = signatures()
      const { browser, address } = await goThere(session)
      expect((await comeBack(address, browser)).outcome).toBe('signed')
      expect(signatures() - before).toBe(1)
      const [signed, cms] = await signedFiles(await readSession(world, session.id))
      expect(await pdfsig(signed!)).toContain('Signature is Valid.')
      expect(await opensslAccepts(cms!)).toBe(true)
    })

    test('a return that comes twice, at once or later, signs once and tells the same', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdf] })
      const before = signatures()
      const { browser, address } = await goThere(session)
      const both = await Promise.all([comeBack(address, browser), comeBack(address, browser)])
      const outcomes = both.map(({ outcome }) => outcome).sort()
      expect(outcomes[0]).toBe('signed')
      expect(['signed', 'under-way']).toContain(outcomes[1])
      expect((await comeBack(address, browser)).outcome).toBe('signed')
      expect(signatures() - before).toBe(1)
    })

    once('a holder who says no loses nothing and can try again', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdf] })
      const before = signatures()
      const { browser, address } = await goThere(session, { decision: 'deny' })
      expect((await comeBack(address, browser)).outcome).toBe('denied')
      expect([await statusOf(world, session.id), signatures() - before]).toEqual(['Pending', 0])
      const again = await goThere(session)
      expect((await comeBack(again.address, again.browser)).outcome).toBe('signed')
    })

    test('another browser signs nothing, nor does an authorization for a session of another subscription', async () => {
      const world = open()
      const foreign = { ...(await clientAt(world)), baseUrl: world.baseUrl }
      const [session, other] = [await begin(world, { documents: [pdf] }), await begin(foreign, { documents: [pdf] })]
      const before = signatures()
      const { address, browser } = await goThere(session)
      const stranger = await comeBack(address, { cookies: '' })
      expect([stranger.status, stranger.location.search]).toEqual([303, '?cloud=elsewhere'])
      const theirs = await goThere(other)
      const planted = new URL(theirs.address)
      planted.searchParams.set('session', new URL(address).searchParams.get('session')!)
      expect((await comeBack(planted.href, theirs.browser)).outcome).toBe('failed')
      expect(signatures() - before).toBe(0)
      expect([await statusOf(world, session.id), await statusOf(foreign, other.id)]).toEqual(['Pending', 'Pending'])
      expect((await comeBack(theirs.address, theirs.browser)).outcome).toBe('signed')
      expect((await comeBack(address, browser)).outcome).toBe('signed')
    })

    once.each(['', '?signing=x', '?signing=00000000-0000-0000-0000-000000000000&session=x', '?session=x&error=y'])(
      'a return with %j leads to a page that says so',
      async (query) => {
        open()
        const { status, location } = await comeBack(`${cloud().publicUrl}/cloud-return${query}`, { cookies: 'a=b' })
        expect([status, location.pathname, location.search]).toEqual([
          303,
          '/signature-session/sign',
          '?cloud=elsewhere',
        ])
      },
    )

    once('a holder who comes back too late signs nothing', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdf] })
      const { browser, address } = await goThere(session)
      clock.advance(16 * MINUTE)
      hubClock.advance(16 * MINUTE)
      expect((await comeBack(address, browser)).outcome).toBe('expired')
      expect(await statusOf(world, session.id)).toBe('Pending')
    })

    once('a certificate that was revoked, or is not of the kind that is asked for, signs nothing', async () => {
      const world = open()
      const before = signatures()
      const session = await begin(world, { documents: [pdf] })
      const { browser, address } = await goThere(session, { holder: 'revoked' })
      expect((await comeBack(address, browser)).outcome).toBe('certificate-invalid')
      const device = await begin(world, { documents: [pdf], certificateRequirements: [{ type: 'CryptoDevice' }] })
      const there = await goThere(device)
      expect((await comeBack(there.address, there.browser)).outcome).toBe('certificate-type')
      expect(signatures() - before).toBe(0)
      // The unused authorization is ended at the hub, too.
      const used = new URL(address).searchParams.get('session')
      const { hub } = cloud()
      await expect
        .poll(async () => (await hub.json('GET', `/api/sessions/certificate?session=${used}`)).body.code)
        .toBe('SessionInvalidOrAlreadyUsed')
    })

    once.each([
      ['provider-failed', { status: 500, body: 'no' }],
      ['signature-invalid', 'wrong-signature'],
    ] as const)('a provider that fails ends as %s (%j), and the next attempt signs', async (outcome, fault) => {
      const world = open()
      const session = await begin(world, { documents: [pdf] })
      const { browser, address } = await goThere(session)
      cloud().provider.fail('signature', fault)
      expect((await comeBack(address, browser)).outcome).toBe(outcome)
      expect(await statusOf(world, session.id)).toBe('Pending')
      const again = await goThere(session)
      expect((await comeBack(again.address, again.browser)).outcome).toBe('signed')
    })

    test('documents that came meanwhile are not signed unread; a session that ended meanwhile is not signed', async () => {
      const world = open()
      const session = await begin(world, {})
      expect((await ask(session, { cookies: '' })).body.code).toBe('BadSignatureSessionOperation')
      await session.bring('one.pdf', contract, 'application/pdf')
      const before = signatures()
      const { browser, address } = await goThere(session)
      await session.bring('two.txt', 'two')
      expect((await comeBack(address, browser)).outcome).toBe('changed')
      const later = await goThere(session)
      expect((await signAll(session, ANA)).body.status).toBe('Completed')
      expect((await comeBack(later.address, later.browser)).outcome).toBe('not-pending')
      expect(signatures() - before).toBe(0)
      expect((await ask(session, { cookies: '' })).body.code).toBe('BadSignatureSessionOperation')
    })

    once('leaves nothing in the log or the database that opens anything', async () => {
      const world = open()
      const session = await begin(world, { documents: [pdf] })
      const { browser, address } = await goThere(session)
      expect((await comeBack(address, browser)).outcome).toBe('signed')
      const rows = JSON.stringify(await world.store.db.selectFrom('signature_session_signing').selectAll().execute())
      const log = world.log()
      const used = new URL(address).searchParams.get('session')!
      for (const secret of [used, session.token, browser.cookies.split('=').at(-1)!]) {
        expect(rows).not.toContain(secret)
        expect(log).not.toContain(secret)
      }
    })
  })
}

test('without a hub, or with one that is not there, no cloud certificate is offered or used', async () => {
  for (const [settings, isOffered] of [
    [{}, false],
    [{ CloudHub: { Endpoint: 'http://127.0.0.1:9', ApiKey: 'k' } }, true],
  ] as const) {
    const session = await begin(await startCore('SQLite', settings), { documents: [pdf] })
    expect((await session.page('GET', '/api/signature-session')).body.allowCloudCertificate).toBe(isOffered)
    const { body, cookie } = await ask(session, { cookies: '' })
    expect([body.code, cookie]).toEqual(['CloudCertificatesNotAvailable', null])
  }
})
