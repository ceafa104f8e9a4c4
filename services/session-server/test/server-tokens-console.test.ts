// HSM partitions that an operator's PIN opens, and what administrators see and do of the server's own tokens.
import { refusal as refusedAs, signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { newServerToken, startTokenServer, untilShown, untilToken } from './test-support/server-token.ts'
import { type Answer, databases } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { newPdf, settledRows, signBatch } from './test-support/signing.ts'
import { createSession, TOKEN_PIN } from './test-support/workstation.ts'

const signer = sharedSignatureService()

const refusal = ({ status, body }: Answer) => [status, body.error?.code]

type Browser = Awaited<ReturnType<typeof signedIn>>

const onTokens = async (browser: Browser) => (await browser.call('GET', '/api/certificates?custody=token')).body.items

/** An HSM partition with two people, one with an RSA key and one with an elliptic one. */
async function partition(database: (typeof databases)[number]) {
  const hsm = await newServerToken(['bruno-lima', 'davi-moreira'])
  const world = await startTokenServer(database, hsm, { pin: TOKEN_PIN, signer })
  const cpfs = hsm.holders.map(({ cpf }) => cpf) as [string, string]
  const ids: string[] = []
  for (const cpf of cpfs) ids.push((await untilShown(world, cpf)).id)
  return { hsm, world, cpfs, ids: ids as [string, string], browser: await signedIn(world) }
}

for (const database of databases) {
  describe(`an HSM partition of the server on ${database}`, () => {
    test('is opened by the operator’s PIN; a holder has another, which an administrator sets', async () => {
      const { world, cpfs, ids, browser } = await partition(database)
      const [ana, bia] = cpfs
      expect(refusal(await createSession(world, ana))).toEqual([422, 'PIN_NOT_AVAILABLE'])
      expect(await onTokens(browser)).toMatchObject([
        { custody: 'token', token: 'cofre-1', pin: 'missing', workstation: null },
        { custody: 'token', token: 'cofre-1', pin: 'missing', workstation: null },
      ])
      const set = await browser.call('PUT', `/api/certificates/${ids[0]}/pin`, { pin: 'de ana 1' })
      expect([set.status, set.body.pin]).toEqual([200, 'set'])
      const told = (await browser.call('GET', `/api/events?q=${ids[0]}`)).body.items
      expect(told).toMatchObject([{ type: 'CertificatePinSet', actor: browser.email }])
      const { db } = world.store
      const kept = [
        await db.selectFrom('certificate').selectAll().execute(),
        await db.selectFrom('audit_event').selectAll().execute(),
      ]
      expect(JSON.stringify(kept) + world.log()).not.toContain('de ana 1')
      await browser.call('PUT', `/api/certificates/${ids[1]}/pin`, { pin: 'de bia 2' })
      expect(refusal(await createSession(world, bia, 'de ana 1'))).toEqual([401, 'INVALID_PIN'])
      expect(refusal(await createSession(world, ana, TOKEN_PIN))).toEqual([401, 'INVALID_PIN'])
      const [first, second] = [await createSession(world, ana, 'de ana 1'), await createSession(world, bia, 'de bia 2')]
      const files = (name: string) => Array.from({ length: 8 }, (_, at) => [`${name}${at}.pdf`, newPdf()] as const)
      const batches = await Promise.all([
        signBatch(world, first.body.sessionId, files('ana')),
        signBatch(world, second.body.sessionId, files('bia')),
      ])
      expect(batches.map(({ status }) => status)).toEqual([202, 202])
      const rows = await settledRows(world)
      expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: 16 }, () => 'Signed'))

      const again = await browser.call('PUT', `/api/certificates/${ids[0]}/pin`, { pin: 'outro de ana' })
      expect(again.status).toBe(200)
      const status = async ({ body }: Answer) =>
        (await world.json('GET', `/v1/sessions/status?sessionId=${body.sessionId}`)).body.active
      expect([await status(first), await status(second)]).toEqual([false, true])
      expect(refusal(await createSession(world, ana, 'de ana 1'))).toEqual([401, 'INVALID_PIN'])
      expect((await createSession(world, ana, 'outro de ana')).status).toBe(201)
    })

    test('is given a wrong PIN of the settings once, also over restarts, and another at once', async () => {
      const hsm = await newServerToken()
      const wrong = { pin: 'errado' }
      const first = await startTokenServer(database, hsm, wrong)
      expect((await untilToken(first, false)).detail).toContain('did not accept')
      const row = await first.store.db.selectFrom('token_login').selectAll().executeTakeFirstOrThrow()
      expect(row.tries).toBe(2)
      expect(JSON.stringify(row)).not.toContain('errado')
      await first.stop()
      const second = await startTokenServer(database, hsm, { ...wrong, after: first })
      expect((await untilToken(second, false)).detail).toContain('did not accept')
      expect(await second.store.db.selectFrom('token_login').selectAll().executeTakeFirst()).toEqual(row)
      await second.stop()
      const third = await startTokenServer(database, hsm, { pin: TOKEN_PIN, after: second })
      await untilToken(third, true)
      await untilShown(third, hsm.holders[0].cpf)
    })
  })

  describe(`certificates on a token of the server at the console, on ${database}`, () => {
    test('are neither replaced nor removed there, and those elsewhere get no PIN', async () => {
      const { world, ids, browser } = await partition(database)
      const removed = await browser.call('DELETE', `/api/certificates/${ids[0]}`)
      expect(refusedAs(removed)).toEqual([409, 'CERTIFICATE_ON_TOKEN'])
      const file = { file: Buffer.from('x').toString('base64'), pin: '1234' }
      const replaced = await browser.call('PUT', `/api/certificates/${ids[0]}/file`, file)
      expect(refusedAs(replaced)).toEqual([409, 'CERTIFICATE_ON_TOKEN'])
      await world.store.db.updateTable('certificate').set({ token: null }).where('id', '=', ids[0]).execute()
      const set = await browser.call('PUT', `/api/certificates/${ids[0]}/pin`, { pin: '1234' })
      expect(refusedAs(set)).toEqual([409, 'CERTIFICATE_NOT_ON_TOKEN'])
      const nobodys = await browser.call('PUT', '/api/certificates/none/pin', { pin: '1234' })
      expect(refusedAs(nobodys)).toEqual([404, 'CERTIFICATE_NOT_FOUND'])
    })

    test('an administrator proves the PIN of a holder’s token, which then takes PINs again', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const world = await startTokenServer(database, hsm)
      const { id } = await untilShown(world, cpf)
      const browser = await signedIn(world)
      expect(refusal(await createSession(world, cpf, 'errado'))).toEqual([401, 'INVALID_PIN'])
      expect(refusal(await createSession(world, cpf))).toEqual([422, 'PIN_NOT_AVAILABLE'])
      const wrong = await browser.call('PUT', `/api/certificates/${id}/pin`, { pin: 'outro errado' })
      expect(refusedAs(wrong)).toEqual([422, 'TOKEN_PIN_REFUSED'])
      const proved = await browser.call('PUT', `/api/certificates/${id}/pin`, { pin: TOKEN_PIN })
      expect([proved.status, proved.body.pin]).toEqual([200, 'token'])
      expect((await createSession(world, cpf)).status).toBe(201)
      await hsm.token.pull()
      await untilToken(world, false)
      const gone = await browser.call('PUT', `/api/certificates/${id}/pin`, { pin: TOKEN_PIN })
      expect(refusedAs(gone)).toEqual([409, 'TOKEN_UNAVAILABLE'])
    })
  })
}
