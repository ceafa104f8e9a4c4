import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE } from '@chancela/service-kernel/clock'
import { callerOf } from '@chancela/testkit/service-world'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test, vi } from 'vitest'
import { sharedFaultProxy } from './test-support/fault-proxy.ts'
import { startServerProcess } from './test-support/killed-server.ts'
import { clock } from './test-support/pki.ts'
import {
  moduleProcesses,
  newServerToken,
  startTokenServer,
  untilShown,
  untilToken,
} from './test-support/server-token.ts'
import { databases } from './test-support/session-world.ts'
import { sharedSignatureService } from './test-support/signature-service.ts'
import { fetchWhenReady, newPdf, rowsOf, settledRows, signBatch, signJson, statusAt } from './test-support/signing.ts'
import { lookNow } from './test-support/vault.ts'
import { createSession, TOKEN_PIN } from './test-support/workstation.ts'

const service = sharedSignatureService()
const proxy = sharedFaultProxy(service)

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

for (const database of databases)
  describe(`a server killed while its own token signs, on ${database}`, () => {
    test('leaves no login and no unknown document behind, and signs again after a new PIN', async () => {
      const hsm = await newServerToken()
      const [{ cpf }] = hsm.holders
      const before = await startTokenServer(database, hsm, { signer: proxy })
      await untilShown(before, cpf)
      await before.stop()
      const killed = await startServerProcess(before)
      const caller = callerOf(killed.baseUrl, { 'X-API-Key': before.client.apiKey })
      const asClient = { ...before, baseUrl: killed.baseUrl, ...caller }
      const { body } = await createSession(asClient, cpf)
      const modules = await moduleProcesses(killed.pid)
      expect(modules).toHaveLength(1)
      const files = Array.from({ length: 24 }, (_, at) => [`${at}.pdf`, newPdf()] as const)
      const completed = proxy().count('complete')
      const signing = signBatch(asClient, body.sessionId, files).catch((error: unknown) => error)
      await vi.waitUntil(() => proxy().count('complete') > completed + 4, { interval: 1 })
      proxy().fail('complete', 'hold')
      await vi.waitUntil(async () => (await rowsOf(before)).some(({ look_at }) => look_at !== null), { interval: 1 })
      await killed.kill()
      expect(await signing).toBeInstanceOf(Error)
      await vi.waitUntil(() => !modules.some(isAlive), { interval: 20 })
      proxy().heal()

      const after = await startTokenServer(database, hsm, { signer: proxy, after: before })
      const { status, body: refused } = await signJson(after, body.sessionId, newPdf())
      expect([status, refused.error.code]).toEqual([401, 'SESSION_EXPIRED'])
      clock.advance(5 * MINUTE)
      await lookNow(after)
      for (const { state, document_id } of await settledRows(after)) {
        const there = document_id === null ? 'nowhere' : await statusAt(service(), document_id)
        expect(`${state} ${there}`).toBeOneOf(['Signed Concluded', 'Canceled Canceled', 'Failed nowhere'])
      }
      await untilToken(after, true)
      const { body: again } = await createSession(after, cpf, TOKEN_PIN)
      const { body: sent } = await signJson(after, again.sessionId, newPdf())
      const signed = await fetchWhenReady(after, sent.signatureId)
      const file = join(temporaryFolder(), 'signed.pdf')
      writeFileSync(file, Buffer.from(await signed.arrayBuffer()))
      expect((await runTool('pdfsig', ['-nocert', file])).text).toContain('Signature is Valid')
    })
  })
