import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listPkcs11Tokens } from '@chancela/signature-engine/keys'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import {
  moduleProcesses,
  newServerToken,
  startTokenServer,
  untilShown,
  untilToken,
} from './test-support/server-token.ts'
import { type Answer, databases, type SessionWorld } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { fetchWhenReady, newPdf, settledRows, signBatch, signJson } from './test-support/signing.ts'
import { lookNow } from './test-support/vault.ts'
import { createSession, TOKEN_PIN } from './test-support/workstation.ts'

const signer = sharedSignatureService()

const refusal = ({ status, body }: Answer) => [status, body.error?.code]

const verdictOf = async (pdf: Buffer): Promise<string> => {
  const file = join(temporaryFolder(), 'signed.pdf')
  writeFileSync(file, pdf)
  return (await runTool('pdfsig', ['-nocert', file])).text
}

const signedBy = async (world: SessionWorld, sessionId: string): Promise<string> => {
  const { status, body } = await signJson(world, sessionId, newPdf())
  expect([status, body.error]).toEqual([202, undefined])
  const answer = await fetchWhenReady(world, body.signatureId)
  expect(answer.status).toBe(200)
  return verdictOf(Buffer.from(await answer.arrayBuffer()))
}

const opened = async (world: SessionWorld, cpf: string, pin = TOKEN_PIN): Promise<string> => {
  const { status, body } = await createSession(world, cpf, pin)
  expect([status, body.error]).toEqual([201, undefined])
  return body.sessionId as string
}

const isActive = async (world: SessionWorld, sessionId: string): Promise<boolean> =>
  (await world.json('GET', `/v1/sessions/status?sessionId=${sessionId}`)).body.active

for (const database of databases) {
  describe(`a token of the server whose PIN its holder brings, on ${database}`, () => {
    for (const key of ['bruno-lima', 'davi-moreira'])
      test(`signs under a session as the vault does, with the key of ${key}`, async () => {
        const hsm = await newServerToken([key])
        const [{ cpf }] = hsm.holders
        const world = await startTokenServer(database, hsm, { signer })
        await untilShown(world, cpf)
        const sessionId = await opened(world, cpf)
        const info = await world.json('GET', `/v1/certificates/info?sessionId=${sessionId}`)
        expect(info.body).toMatchObject({ cpf, subjectName: `GUARDADO ${cpf}`, status: 'ACTIVE' })
        expect(await signedBy(world, sessionId)).toContain('Signature is Valid')
        const batch = await signBatch(world, sessionId, [
          ['a.pdf', newPdf()],
          ['b.pdf', newPdf()],
        ])
        expect(batch.status).toBe(202)
        expect((await settledRows(world)).map(({ state, custody }) => [state, custody])).toEqual(
          Array.from({ length: 3 }, () => ['Signed', 'token']),
        )
        await world.json('POST', '/v1/sessions/deactivate', { sessionId })
        expect(refusal(await signJson(world, sessionId, newPdf()))).toEqual([401, 'SESSION_EXPIRED'])
      })

    test('compares a PIN with the one in use: the token learns of no wrong one', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const world = await startTokenServer(database, hsm)
      await untilShown(world, cpf)
      const sessionId = await opened(world, cpf)
      for (let at = 0; at < 3; at++)
        expect(refusal(await createSession(world, cpf, `outro ${at}`))).toEqual([401, 'INVALID_PIN'])
      expect(await countLow(hsm)).toBe(false)
      expect(await isActive(world, sessionId)).toBe(true)
      expect(await opened(world, cpf)).not.toBe(sessionId)
    })

    test('is given one wrong PIN at most until it has had a right one again, a restart in between', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const first = await startTokenServer(database, hsm, { settings: { Pin: { MaxFailures: 50 } } })
      await untilShown(first, cpf)
      await first.json('POST', '/v1/sessions/deactivate', { sessionId: await opened(first, cpf) })
      expect(refusal(await createSession(first, cpf, 'errado'))).toEqual([401, 'INVALID_PIN'])
      expect(await countLow(hsm)).toBe(true)
      // The module reports nothing of this: the row does.
      expect(await triesOf(first)).toEqual([2])
      expect(refusal(await createSession(first, cpf, 'errado'))).toEqual([401, 'INVALID_PIN'])
      expect(refusal(await createSession(first, cpf, 'outro'))).toEqual([401, 'INVALID_PIN'])
      await first.stop()
      const second = await startTokenServer(database, hsm, { settings: { Pin: { MaxFailures: 50 } }, after: first })
      await untilToken(second, true)
      expect(refusal(await createSession(second, cpf, 'mais um'))).toEqual([401, 'INVALID_PIN'])
      expect(await triesOf(second)).toEqual([2])
      // The one it accepted before is known to be right.
      await opened(second, cpf)
      expect([await countLow(hsm), await triesOf(second)]).toEqual([false, [0]])
    })

    test('never had a right PIN: after a wrong one nothing is compared, and nothing counted', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const world = await startTokenServer(database, hsm)
      await untilShown(world, cpf)
      expect(refusal(await createSession(world, cpf, 'errado'))).toEqual([401, 'INVALID_PIN'])
      expect(refusal(await createSession(world, cpf))).toEqual([422, 'PIN_NOT_AVAILABLE'])
      const { times } = await world.store.db.selectFrom('pin_failures').selectAll().executeTakeFirstOrThrow()
      expect(JSON.parse(times)).toHaveLength(1)
    })
  })

  describe(`a token of the server that goes away, on ${database}`, () => {
    test('ends its sessions with SESSION_EXPIRED, is named by readiness, and signs again when it is back', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const world = await startTokenServer(database, hsm, { signer })
      await untilShown(world, cpf)
      expect(await untilToken(world, true)).toMatchObject({ ready: 200 })
      const sessionId = await opened(world, cpf)
      await hsm.token.pull()
      for (const pid of await moduleProcesses()) process.kill(pid, 'SIGKILL')
      await vi.waitUntil(async () => !(await isActive(world, sessionId)), { interval: 20 })
      expect(refusal(await signJson(world, sessionId, newPdf()))).toEqual([401, 'SESSION_EXPIRED'])
      expect(await settledRows(world)).toEqual([])
      // First it says that the process has just ended, where that began less than a second ago.
      const told = async () => {
        const answer = await untilToken(world, false)
        return answer.detail.includes('not there') && answer
      }
      expect(await vi.waitUntil(told, { interval: 100 })).toMatchObject({ ready: 200 })
      expect(refusal(await createSession(world, cpf))).toEqual([422, 'PIN_NOT_AVAILABLE'])
      await hsm.token.putBack()
      await untilToken(world, true)
      expect(await signedBy(world, await opened(world, cpf))).toContain('Signature is Valid')
    })

    test('ends the session of a call that finds it gone, before the document leaves', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const world = await startTokenServer(database, hsm, { signer })
      await untilShown(world, cpf)
      const sessionId = await opened(world, cpf)
      await hsm.token.pull()
      expect(refusal(await signJson(world, sessionId, newPdf()))).toEqual([401, 'SESSION_EXPIRED'])
      expect(await isActive(world, sessionId)).toBe(false)
      expect(await settledRows(world)).toEqual([])
      await hsm.token.putBack()
      expect(await signedBy(world, await opened(world, cpf))).toContain('Signature is Valid')
    })

    test('shows other certificates: those it had are held no more', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const world = await startTokenServer(database, hsm)
      await untilShown(world, cpf)
      await world.stop()
      const other = await newServerToken()
      const second = await startTokenServer(database, other, { after: world })
      await untilShown(second, other.holders[0].cpf)
      await lookNow(second)
      expect(refusal(await createSession(second, cpf))).toEqual([404, 'CERT_NOT_FOUND'])
    })
  })
}

/** Whether the token says that a wrong PIN was tried since the last right one. */
const countLow = async ({ token, label }: { token: { module: string }; label: string }) =>
  (await listPkcs11Tokens(token.module)).find((info) => info.label === label)?.pinCountLow

const triesOf = async ({ store }: SessionWorld) =>
  (await store.db.selectFrom('token_login').select('tries').execute()).map(({ tries }) => tries)
