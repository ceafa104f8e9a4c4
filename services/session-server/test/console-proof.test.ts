import { MINUTE, SECOND } from '@chancela/service-kernel/clock'
import {
  type Browser,
  browserOf,
  codeOf,
  copyOf,
  enrol,
  newAdministrator,
  PASSWORD,
  refusal,
  signedIn,
} from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import {
  databases,
  type SessionWorld,
  sharedSessionServer,
  startSessionServer,
  testOnce,
} from './test-support/session-world.ts'

const REQUIRED = [403, 'REAUTHENTICATION_REQUIRED']

/** Each of what a copied cookie could take a server over with. */
const guarded = (id: string): readonly (readonly [method: string, path: string, body?: object])[] => [
  ['POST', '/api/session/second-factor'],
  ['PUT', '/api/session/second-factor', { code: '123456' }],
  ['POST', '/api/administrators', { name: 'Eva', email: `${crypto.randomUUID()}@example.com`, password: PASSWORD }],
  ['DELETE', `/api/administrators/${id}/second-factor`],
  ['DELETE', `/api/administrators/${id}`],
  ['POST', '/api/applications/x/keys', { description: 'x' }],
  ['DELETE', '/api/keys/x'],
]

const prove = ({ call }: Pick<Browser, 'call'>, proof: { readonly password: string; readonly code?: string }) =>
  call('POST', '/api/session/proof', proof)

/** A code that was not used yet. */
function nextCode({ clock }: SessionWorld, secret: string): string {
  clock.advance(30 * SECOND)
  return codeOf(secret, clock())
}

for (const database of databases) {
  describe(`asking administrators again on ${database}`, () => {
    const once = testOnce(database)
    const world = sharedSessionServer(database)

    test('a session that was proved long ago changes neither factors nor administrators nor keys', async () => {
      const owner = await signedIn(world())
      const other = await newAdministrator(world())
      world().clock.advance(10 * MINUTE)
      const thief = copyOf(owner)
      for (const [method, path, body] of guarded(other.id))
        expect([method, path, refusal(await thief.call(method, path, body))]).toEqual([method, path, REQUIRED])
      expect((await thief.call('GET', '/api/administrators')).status).toBe(200)
    })

    test('password and code prove it again, for this session alone', async () => {
      const owner = await signedIn(world())
      const elsewhere = browserOf(world())
      await elsewhere.signIn(owner.email, codeOf(owner.secret, world().clock()))
      world().clock.advance(10 * MINUTE)
      const made = () => owner.call('POST', '/api/session/second-factor')
      expect(refusal(await made())).toEqual(REQUIRED)
      expect((await prove(owner, { password: PASSWORD, code: nextCode(world(), owner.secret) })).status).toBe(204)
      expect((await made()).status).toBe(200)
      expect(refusal(await elsewhere.call('POST', '/api/session/second-factor'))).toEqual(REQUIRED)
      world().clock.advance(10 * MINUTE)
      expect(refusal(await made())).toEqual(REQUIRED)
    })

    test('neither the password alone nor a used code proves anything, and wrong ones count as guesses', async () => {
      const owner = await signedIn(world())
      const code = nextCode(world(), owner.secret)
      const refused = [422, 'PROOF_REFUSED']
      expect(refusal(await prove(owner, { password: PASSWORD }))).toEqual(refused)
      expect((await prove(owner, { password: PASSWORD, code })).status).toBe(204)
      const wrong = [
        { password: PASSWORD, code },
        { password: 'nem perto', code: nextCode(world(), owner.secret) },
      ]
      for (const proof of [...wrong, ...wrong]) expect(refusal(await prove(owner, proof))).toEqual(refused)
      expect(refusal(await prove(owner, wrong[0]!))).toEqual(refused)
      const right = { password: PASSWORD, code: nextCode(world(), owner.secret) }
      expect(refusal(await prove(owner, right))).toEqual([429, 'TOO_MANY_REQUESTS'])
      expect(refusal(await browserOf(world()).signIn(owner.email, right.code))).toEqual([429, 'TOO_MANY_REQUESTS'])
    })

    test('another app needs a code of the present one', async () => {
      const owner = await signedIn(world())
      const { secret } = (await owner.call('POST', '/api/session/second-factor')).body
      const confirm = (presentCode?: string) =>
        owner.call('PUT', '/api/session/second-factor', {
          code: codeOf(secret, world().clock()),
          ...(presentCode !== undefined && { presentCode }),
        })
      expect(refusal(await confirm())).toEqual([422, 'PRESENT_CODE_WRONG'])
      const present = nextCode(world(), owner.secret)
      const foreign = present === '000000' ? '000001' : '000000'
      expect(refusal(await confirm(foreign))).toEqual([422, 'PRESENT_CODE_WRONG'])
      expect((await confirm(present)).status).toBe(200)
      expect((await browserOf(world()).signIn(owner.email, nextCode(world(), secret))).status).toBe(200)
    })

    once('the settings say for how long a proof holds, and without an app the password is one', async () => {
      const own = await startSessionServer(database, {
        settings: { Auth: { RequireSecondFactor: false, ProofMinutes: 2 } },
      })
      const { email } = await newAdministrator(own)
      const browser = browserOf(own)
      await browser.signIn(email)
      own.clock.advance(2 * MINUTE)
      expect(refusal(await browser.call('POST', '/api/session/second-factor'))).toEqual(REQUIRED)
      expect((await prove(browser, { password: PASSWORD })).status).toBe(204)
      await enrol(browser, own)
    })
  })
}
