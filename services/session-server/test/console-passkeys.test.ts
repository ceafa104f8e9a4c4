import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import {
  browserOf,
  codeOf,
  copyOf,
  enrol,
  newAdministrator,
  PASSWORD,
  refusal,
  signedIn,
} from '@chancela/testkit/console'
import {
  addPasskey,
  answerOf,
  proveWithPasskey,
  signInWithPasskey,
  softAuthenticator,
  withPasskey,
} from '@chancela/testkit/passkeys'
import { describe, expect, test } from 'vitest'
import { consoleRights } from '../src/contract/console-rights.ts'
import { databases, sharedSessionServer, startSessionServer, testOnce } from './test-support/session-world.ts'

const PASSKEYS = '/api/session/passkeys'
const ME = '/api/session'
const REQUIRED = [403, 'REAUTHENTICATION_REQUIRED']

for (const database of databases) {
  describe(`passkeys of administrators on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)
    const rowsOf = (id: string) =>
      world().store.db.selectFrom('administrator_passkey').selectAll().where('administrator_id', '=', id).execute()

    test('one is enrolled in place of an app, and signs in alone', async () => {
      const { id, email } = await newAdministrator(world())
      const browser = browserOf(world())
      expect((await browser.signIn(email)).body).toMatchObject({ secondFactor: 'to-enrol', factors: [] })
      const authenticator = softAuthenticator(new URL(world().consoleUrl).origin)
      const { status, body } = await addPasskey(browser, authenticator, { name: ' Laptop ' })
      expect([status, body]).toEqual([
        200,
        { id: expect.any(String), name: 'Laptop', host: 'localhost', createdAt: expect.any(String), lastUsedAt: null },
      ])
      expect((await browser.call('GET', ME)).body).toMatchObject({ id, secondFactor: 'on', factors: ['passkey'] })
      expect((await browser.call('GET', '/api/administrators')).status).toBe(200)
      const another = browserOf(world())
      const signed = await signInWithPasskey(another, authenticator)
      const may = { role: 'administrator', rights: Object.keys(consoleRights) }
      expect([signed.status, signed.body]).toEqual([
        200,
        { id, name: 'Ana Souza', email, way: 'password', ...may, secondFactor: 'on', factors: ['passkey'] },
      ])
      expect((await another.call('GET', PASSKEYS)).body).toMatchObject([{ lastUsedAt: world().clock().toISOString() }])
      // The passkey is a proof, too.
      expect((await another.call('POST', '/api/session/second-factor')).status).toBe(200)
      const { items } = (await another.call('GET', `/api/events?q=${email}`)).body
      expect(items.map(({ type }: { type: string }) => type)).toEqual([
        'AdministratorSignedIn',
        'PasskeyAdded',
        'AdministratorSignedIn',
        'AdministratorCreated',
      ])
      expect(items[1].changes.after).toEqual({ passkey: body.id, name: 'Laptop', host: 'localhost' })
      expect(items[0].text).not.toBe(items[2].text)
    })

    test('what is asked is for passkeys that verify their user, of this site, by ES256, Ed25519 or RS256', async () => {
      const owner = await withPasskey(world())
      const { body } = await owner.call('POST', `${PASSKEYS}/question`)
      expect(body).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rp: { id: 'localhost', name: 'Chancela' },
        user: { id: Buffer.from(owner.id).toString('base64url'), name: owner.email, displayName: 'Ana Souza' },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 300_000,
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        excludeCredentials: [{ type: 'public-key', id: owner.authenticator.passkeys[0]!.id, transports: ['internal'] }],
      })
      const asked = await browserOf(world()).call('POST', '/api/session/passkey/question')
      expect(asked.body).toEqual({
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        rpId: 'localhost',
        timeout: 300_000,
        userVerification: 'required',
        allowCredentials: [],
      })
      expect(asked.headers.get('set-cookie')).toMatch(
        /^chancela-sessions-passkey=v1\.[^;]+; Path=\/; Max-Age=300; HttpOnly; SameSite=Strict$/,
      )
      const proof = await owner.call('POST', '/api/session/proof/question')
      expect(proof.body.allowCredentials).toEqual(body.excludeCredentials)
    })

    test('one is a second factor after the password, in place of a code', async () => {
      const owner = await withPasskey(world())
      const browser = browserOf(world())
      const missing = await browser.signIn(owner.email)
      expect([...refusal(missing), missing.body.error.details]).toEqual([
        401,
        'CODE_REQUIRED',
        { factors: ['passkey'] },
      ])
      const give = async (password: string, over: object = {}) =>
        browser.call('POST', ME, {
          email: owner.email,
          password,
          passkey: await answerOf(browser, owner.authenticator),
          ...over,
        })
      expect(refusal(await give('outra senha'))).toEqual([401, 'SIGN_IN_REFUSED'])
      expect(refusal(await give(PASSWORD, { code: '123456' }))).toEqual([400, 'INVALID_REQUEST'])
      expect(refusal(await browser.signIn(owner.email, '123456'))).toEqual([401, 'SIGN_IN_REFUSED'])
      expect((await give(PASSWORD)).status).toBe(200)
      const stranger = await withPasskey(world())
      const passkey = await answerOf(browser, stranger.authenticator)
      expect(refusal(await browser.call('POST', ME, { email: owner.email, password: PASSWORD, passkey }))).toEqual([
        401,
        'SIGN_IN_REFUSED',
      ])
    })

    test('a session that was proved long ago changes no passkeys; one proves it again, for this session alone', async () => {
      const owner = await withPasskey(world())
      const elsewhere = browserOf(world())
      await signInWithPasskey(elsewhere, owner.authenticator)
      world().clock.advance(10 * MINUTE)
      const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
        ['POST', `${PASSKEYS}/question`],
        ['POST', PASSKEYS, { name: 'x', passkey: { id: 'x', clientDataJSON: 'x', attestationObject: 'x' } }],
        ['PUT', `${PASSKEYS}/${owner.passkey.id}`, { name: 'x' }],
        ['DELETE', `${PASSKEYS}/${owner.passkey.id}`],
      ]
      for (const [method, path, body] of calls) expect(refusal(await owner.call(method, path, body))).toEqual(REQUIRED)
      expect((await owner.call('GET', PASSKEYS)).body).toHaveLength(1)
      expect((await proveWithPasskey(owner, owner.authenticator)).status).toBe(204)
      expect((await owner.call('PUT', `${PASSKEYS}/${owner.passkey.id}`, { name: 'Phone' })).body.name).toBe('Phone')
      expect(refusal(await elsewhere.call('DELETE', `${PASSKEYS}/${owner.passkey.id}`))).toEqual(REQUIRED)
    })

    test('several are added, renamed and removed, each with an event, and end the other sessions', async () => {
      const owner = await withPasskey(world())
      const elsewhere = browserOf(world())
      const isThere = async () => (await elsewhere.call('GET', ME)).status === 200
      const phone = softAuthenticator(new URL(world().consoleUrl).origin)
      await signInWithPasskey(elsewhere, owner.authenticator)
      const thief = copyOf(owner)
      const added = (await addPasskey(owner, phone, { name: 'Phone' })).body
      expect([await isThere(), (await thief.call('GET', ME)).status]).toEqual([false, 401])
      await signInWithPasskey(elsewhere, phone)
      expect((await owner.call('PUT', `${PASSKEYS}/${added.id}`, { name: 'Old phone' })).body).toMatchObject({
        ...added,
        name: 'Old phone',
        lastUsedAt: expect.any(String),
      })
      expect(await isThere()).toBe(true)
      expect((await owner.call('DELETE', `${PASSKEYS}/${owner.passkey.id}`)).status).toBe(204)
      expect([await isThere(), (await owner.call('GET', ME)).status]).toEqual([false, 200])
      expect((await owner.call('GET', PASSKEYS)).body).toMatchObject([{ name: 'Old phone' }])
      expect(refusal(await signInWithPasskey(browserOf(world()), owner.authenticator))).toEqual([
        401,
        'PASSKEY_REFUSED',
      ])
      const { items } = (await owner.call('GET', `/api/events?q=${owner.email}`)).body
      const of = (type: string) => items.find((item: { type: string }) => item.type === type)
      expect(of('PasskeyRenamed').changes).toEqual({ before: { name: 'Phone' }, after: { name: 'Old phone' } })
      expect(of('PasskeyRemoved')).toMatchObject({
        actor: owner.email,
        subject: { kind: 'administrator', id: owner.id },
        changes: { before: { passkey: owner.passkey.id } },
      })
    })

    test('the last factor stays, also when the last two are removed at once', async () => {
      const owner = await withPasskey(world())
      expect(refusal(await owner.call('DELETE', `${PASSKEYS}/${owner.passkey.id}`))).toEqual([
        422,
        'LAST_SECOND_FACTOR',
      ])
      expect((await owner.call('GET', ME)).body.factors).toEqual(['passkey'])
      const second = (await addPasskey(owner, softAuthenticator(new URL(world().consoleUrl).origin))).body
      const answers = await Promise.all(
        [owner.passkey.id, second.id].map((id) => copyOf(owner).call('DELETE', `${PASSKEYS}/${id}`)),
      )
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
      expect(await rowsOf(owner.id)).toHaveLength(1)
    })

    test('beside an app every one may go, and the app may be set up beside them', async () => {
      const owner = await withPasskey(world())
      await enrol(owner, world())
      expect((await owner.call('GET', ME)).body.factors).toEqual(['app', 'passkey'])
      expect((await owner.call('DELETE', `${PASSKEYS}/${owner.passkey.id}`)).status).toBe(204)
      expect((await owner.call('GET', ME)).body).toMatchObject({ secondFactor: 'on', factors: ['app'] })
    })

    once('where no second factor is required the last one may go, with its recovery codes', async () => {
      const own = await startSessionServer(database, { settings: { Auth: { RequireSecondFactor: false } } })
      const owner = await withPasskey(own)
      expect((await owner.call('POST', '/api/session/second-factor/recovery-codes')).body.codes).toHaveLength(10)
      expect((await owner.call('DELETE', `${PASSKEYS}/${owner.passkey.id}`)).status).toBe(204)
      expect((await owner.call('GET', ME)).body).toMatchObject({ secondFactor: 'off', factors: [] })
      expect((await owner.call('GET', '/api/session/second-factor/recovery-codes')).body).toEqual({ left: 0 })
    })

    test('recovery codes stand for one that was lost', async () => {
      const owner = await withPasskey(world())
      const { codes } = (await owner.call('POST', '/api/session/second-factor/recovery-codes')).body
      const browser = browserOf(world())
      expect((await browser.signIn(owner.email, codes[0])).status).toBe(200)
    })

    test('a reset forgets them, and so does the removal of their administrator', async () => {
      const admin = await signedIn(world())
      const owner = await withPasskey(world())
      expect((await admin.call('GET', '/api/administrators')).body).toContainEqual(
        expect.objectContaining({ id: owner.id, secondFactor: true }),
      )
      expect((await admin.call('DELETE', `/api/administrators/${owner.id}/second-factor`)).status).toBe(204)
      expect(await rowsOf(owner.id)).toEqual([])
      expect((await owner.call('GET', ME)).status).toBe(401)
      expect((await browserOf(world()).signIn(owner.email)).body).toMatchObject({ secondFactor: 'to-enrol' })
      const other = await withPasskey(world())
      await admin.call('DELETE', `/api/administrators/${other.id}`)
      expect(await rowsOf(other.id)).toEqual([])
      expect(refusal(await signInWithPasskey(browserOf(world()), other.authenticator))).toEqual([
        401,
        'PASSKEY_REFUSED',
      ])
    })

    test('who signed in with the password alone while a passkey was added has no session', async () => {
      const { email } = await newAdministrator(world())
      const [owner, thief] = [browserOf(world()), browserOf(world())]
      await owner.signIn(email)
      await thief.signIn(email)
      await addPasskey(owner, softAuthenticator(new URL(world().consoleUrl).origin))
      expect((await thief.call('GET', ME)).status).toBe(401)
    })

    once('no administrator has more than twenty', async () => {
      const owner = await withPasskey(world())
      for (let count = 1; count < 20; count += 1) {
        const { status } = await addPasskey(owner, owner.authenticator, { name: `${count}` })
        expect(status).toBe(200)
      }
      expect(refusal(await owner.call('POST', `${PASSKEYS}/question`))).toEqual([422, 'TOO_MANY_PASSKEYS'])
    })

    test('one that answers as nobody asked it to signs nobody in', async () => {
      const owner = await withPasskey(world())
      const stranger = await withPasskey(world())
      const { origin, host } = new URL(world().consoleUrl)
      const lies = {
        'a page of another origin': { origin: 'https://evil.example' },
        'the same host at another port': { origin: 'http://localhost:1' },
        'the same host over TLS': { origin: `https://${host}` },
        'another relying party': { rpId: 'evil.example' },
        'another challenge': { challenge: 'x'.repeat(43) },
        'the making of a passkey': { type: 'webauthn.create' },
        'a frame in another site': { crossOrigin: true },
        'without its user': { flags: 1 },
        'with nobody there': { flags: 0 },
        'the handle of somebody else': { userHandle: stranger.authenticator.passkeys[0]!.userHandle },
        'no handle': { userHandle: null },
        'the key of another passkey': { key: stranger.authenticator.passkeys[0]!.key },
        'the id of another passkey': { id: stranger.authenticator.passkeys[0]!.id },
        'an id that nobody has': { id: 'x'.repeat(43) },
      }
      for (const [what, lie] of Object.entries(lies)) {
        const browser = browserOf(world())
        expect([what, refusal(await signInWithPasskey(browser, owner.authenticator, lie))]).toEqual([
          what,
          [401, 'PASSKEY_REFUSED'],
        ])
        expect([...browser.jar.keys()]).toEqual(['chancela-sessions-passkey'])
        // Else the account would be locked.
        world().clock.advance(15 * MINUTE)
      }
      expect((await signInWithPasskey(browserOf(world()), owner.authenticator, { origin })).status).toBe(200)
    })

    test('an answer is taken once, in the browser that asked, for what it asked, within five minutes', async () => {
      const owner = await withPasskey(world())
      const browser = browserOf(world())
      const give = async (where: typeof browser, passkey: object) => {
        const { status } = await where.call('POST', '/api/session/passkey', { passkey })
        return status
      }
      const passkey = await answerOf(browser, owner.authenticator)
      const [another, copy] = [browserOf(world()), copyOf(browser)]
      expect(await give(another, passkey)).toBe(401)
      await another.call('POST', '/api/session/passkey/question')
      expect(await give(another, passkey)).toBe(401)
      expect(await give(browser, passkey)).toBe(200)
      expect(await give(copy, passkey)).toBe(401)

      const late = await answerOf(another, owner.authenticator)
      world().clock.advance(5 * MINUTE)
      expect(await give(another, late)).toBe(401)

      const forProof = owner.authenticator.answer((await owner.call('POST', '/api/session/proof/question')).body)
      expect(await give(owner, forProof)).toBe(401)
      const forSignIn = await answerOf(owner, owner.authenticator)
      expect(refusal(await owner.call('POST', '/api/session/proof/passkey', { passkey: forSignIn }))).toEqual([
        422,
        'PROOF_REFUSED',
      ])
      const signedInAgain = browserOf(world())
      expect((await signInWithPasskey(signedInAgain, owner.authenticator)).status).toBe(200)
    })

    test('of one answer given four times at once, and of two with one count, one is taken', async () => {
      const owner = await withPasskey(world())
      const browser = browserOf(world())
      const passkey = await answerOf(browser, owner.authenticator)
      const tries = await Promise.all(
        [1, 2, 3, 4].map(() => copyOf(browser).call('POST', '/api/session/passkey', { passkey })),
      )
      expect(tries.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
      const clones = await Promise.all(
        [1, 2].map(() => signInWithPasskey(browserOf(world()), owner.authenticator, { counter: 7 })),
      )
      expect(clones.map(({ status }) => status).sort()).toEqual([200, 401])
      expect((await signInWithPasskey(browserOf(world()), owner.authenticator, { counter: 6 })).status).toBe(401)
      expect((await signInWithPasskey(browserOf(world()), owner.authenticator, { counter: 8 })).status).toBe(200)
    })

    once('one that counts nothing signs in again and again', async () => {
      const owner = await withPasskey(world(), { counts: false })
      for (const _ of [1, 2, 3]) {
        expect((await signInWithPasskey(browserOf(world()), owner.authenticator)).status).toBe(200)
      }
    })

    test('wrong answers count as guesses at the administrator', async () => {
      const owner = await withPasskey(world())
      for (let tries = 0; tries < 5; tries += 1)
        expect((await signInWithPasskey(browserOf(world()), owner.authenticator, { flags: 1 })).status).toBe(401)
      const locked = [429, 'TOO_MANY_REQUESTS']
      const wrong = await signInWithPasskey(browserOf(world()), owner.authenticator, { flags: 1 })
      expect(refusal(wrong)).toEqual(locked)
      expect(refusal(await browserOf(world()).signIn(owner.email))).toEqual(locked)
      world().clock.advance(15 * MINUTE)
      expect((await signInWithPasskey(browserOf(world()), owner.authenticator)).status).toBe(200)
    })

    test('a right one signs in and proves while guesses are locked, and leaves them locked', async () => {
      const owner = await withPasskey(world())
      for (let tries = 0; tries < 5; tries += 1)
        await browserOf(world()).signIn(owner.email, undefined, 'a wrong password')
      const locked = [429, 'TOO_MANY_REQUESTS']
      expect(refusal(await browserOf(world()).signIn(owner.email))).toEqual(locked)
      expect((await signInWithPasskey(browserOf(world()), owner.authenticator)).status).toBe(200)
      expect((await proveWithPasskey(owner, owner.authenticator)).status).toBe(204)
      expect(refusal(await browserOf(world()).signIn(owner.email))).toEqual(locked)
    })

    test('a proof is of a passkey of whoever is signed in', async () => {
      const owner = await withPasskey(world())
      const stranger = await withPasskey(world())
      expect(refusal(await proveWithPasskey(owner, stranger.authenticator))).toEqual([422, 'PROOF_REFUSED'])
      expect(refusal(await proveWithPasskey(owner, owner.authenticator, { flags: 1 }))).toEqual([422, 'PROOF_REFUSED'])
      const question = (await owner.call('POST', '/api/session/proof/question')).body
      const passkey = owner.authenticator.answer(question)
      const elsewhere = browserOf(world())
      await signInWithPasskey(elsewhere, owner.authenticator)
      elsewhere.jar.set('chancela-sessions-passkey', owner.jar.get('chancela-sessions-passkey')!)
      expect(refusal(await elsewhere.call('POST', '/api/session/proof/passkey', { passkey }))).toEqual([
        422,
        'PROOF_REFUSED',
      ])
    })

    test('one that was made as nobody asked is not added', async () => {
      const owner = await withPasskey(world())
      const stranger = await withPasskey(world())
      const lies = {
        'a page of another origin': { origin: 'https://evil.example' },
        'another relying party': { rpId: 'evil.example' },
        'another challenge': { challenge: 'x'.repeat(43) },
        'an answer to a question': { type: 'webauthn.get' },
        'a frame in another site': { crossOrigin: true },
        'without its user': { flags: 1 },
        'no algorithm': { algorithm: 0 },
        'an algorithm of another kind': { algorithm: -65_535 },
        'an attestation that nobody knows': { format: 'made-up' },
        'one of everybody': { id: stranger.authenticator.passkeys[0]!.id },
        'one that is there': { id: owner.authenticator.passkeys[0]!.id },
      }
      for (const [what, lie] of Object.entries(lies)) {
        const made = await addPasskey(owner, softAuthenticator(new URL(world().consoleUrl).origin), lie)
        expect([what, refusal(made)]).toEqual([what, [422, 'PASSKEY_INVALID']])
      }
      const { body } = await owner.call('POST', `${PASSKEYS}/question`)
      const passkey = softAuthenticator(new URL(world().consoleUrl).origin).make(body)
      const add = (browser: typeof owner) => browser.call('POST', PASSKEYS, { name: 'x', passkey })
      expect(refusal(await add({ ...stranger }))).toEqual([422, 'PASSKEY_INVALID'])
      expect((await add(owner)).status).toBe(200)
      expect(refusal(await add(owner))).toEqual([422, 'PASSKEY_INVALID'])
      expect(await rowsOf(owner.id)).toHaveLength(2)
      expect(await rowsOf(stranger.id)).toHaveLength(1)
    })

    once('one that vouches for itself is added; certificates, which nobody asked for, are not looked at', async () => {
      const owner = await withPasskey(world())
      const phone = softAuthenticator(new URL(world().consoleUrl).origin)
      expect((await addPasskey(owner, phone, { format: 'packed' })).status).toBe(200)
      const stranger = await withPasskey(world())
      const { key } = stranger.authenticator.passkeys[0]!
      expect(refusal(await addPasskey(owner, phone, { format: 'packed', key }))).toEqual([422, 'PASSKEY_INVALID'])
      const statement = new Map([['x5c', 'x']])
      expect(refusal(await addPasskey(owner, phone, { format: 'packed', statement }))).toEqual([422, 'PASSKEY_INVALID'])
      expect(world().log()).toContain('An attestation with certificates')
    })

    once('at an address without a name there are none', async () => {
      const address = { ...world(), consoleUrl: world().consoleUrl.replace('localhost', '127.0.0.1') }
      const waysOf = async (where: typeof address) => (await browserOf(where).call('GET', '/api/session/ways')).body
      expect((await waysOf(world())).passkey).toBe(true)
      expect((await waysOf(address)).passkey).toBe(false)
      const unavailable = [409, 'PASSKEYS_UNAVAILABLE']
      expect(refusal(await browserOf(address).call('POST', '/api/session/passkey/question'))).toEqual(unavailable)
      const owner = await signedIn(address)
      expect(refusal(await owner.call('POST', `${PASSKEYS}/question`))).toEqual(unavailable)
    })

    once('the public address is their site, whatever host a request names', async () => {
      const PublicUrl = 'https://chancela.example/'
      const own = await startSessionServer(database, { settings: { Console: { PublicUrl } } })
      const { email } = await newAdministrator(own)
      const browser = browserOf(own)
      await browser.signIn(email)
      const authenticator = softAuthenticator('https://chancela.example')
      expect((await addPasskey(browser, authenticator)).body.host).toBe('chancela.example')
      const another = browserOf(own)
      expect((await signInWithPasskey(another, authenticator)).status).toBe(200)
      expect([...another.jar.keys()].sort()).toEqual(['__Host-chancela-sessions', '__Host-chancela-sessions-passkey'])
      const phished = await signInWithPasskey(browserOf(own), authenticator, { origin: 'https://chancela.evil' })
      expect(refusal(phished)).toEqual([401, 'PASSKEY_REFUSED'])
    })

    once('behind a proxy it is the host that the browser asked, over TLS only', async () => {
      const own = await startSessionServer(database, { settings: { Console: { TrustedProxies: ['127.0.0.1'] } } })
      const ways = async (headers: object) =>
        (await browserOf(own).call('GET', '/api/session/ways', undefined, headers)).body.passkey
      const forwarded = { 'x-forwarded-host': 'chancela.example' }
      expect(await ways({ ...forwarded, 'x-forwarded-proto': 'https' })).toBe(true)
      expect(await ways({ ...forwarded, 'x-forwarded-proto': 'http' })).toBe(false)
      const asked = await browserOf(own).call('POST', '/api/session/passkey/question', undefined, {
        ...forwarded,
        'x-forwarded-proto': 'https',
      })
      expect(asked.body.rpId).toBe('chancela.example')
    })

    once('a passkey keeps its site: at another name of the same server it signs nobody in', async () => {
      const own = await startSessionServer(database, { settings: { Console: { TrustedProxies: ['127.0.0.1'] } } })
      const owner = await withPasskey(own)
      const elsewhere = { 'x-forwarded-host': 'a.example', 'x-forwarded-proto': 'https' }
      const browser = browserOf(own)
      const { body } = await browser.call('POST', '/api/session/passkey/question', undefined, elsewhere)
      expect(body.rpId).toBe('a.example')
      const passkey = owner.authenticator.answer(body, { origin: 'https://a.example' })
      expect(refusal(await browser.call('POST', '/api/session/passkey', { passkey }, elsewhere))).toEqual([
        401,
        'PASSKEY_REFUSED',
      ])
      expect((await signInWithPasskey(browserOf(own), owner.authenticator)).status).toBe(200)
    })

    once('a code of the app is refused where there is none', async () => {
      const owner = await withPasskey(world())
      world().clock.advance(30 * SECOND)
      const code = codeOf('JBSWY3DPEHPK3PXP', world().clock())
      const proof = { password: PASSWORD, code }
      expect(refusal(await owner.call('POST', '/api/session/proof', proof))).toEqual([422, 'PROOF_REFUSED'])
      expect(refusal(await owner.call('POST', '/api/session/proof', { password: PASSWORD }))).toEqual([
        422,
        'PROOF_REFUSED',
      ])
    })
  })
}
