import { expect, test, vi } from 'vitest'
import { sharedFaultProxy } from '../../../../services/session-server/test/test-support/fault-proxy.ts'
import { running } from '../../../../services/session-server/test/test-support/pki.ts'
import { startSessionServer } from '../../../../services/session-server/test/test-support/session-world.ts'
import { sharedSignatureService } from '../../../../services/session-server/test/test-support/signature-service.ts'
import { newPdf, newSession, rowsOf, signJson } from '../../../../services/session-server/test/test-support/signing.ts'
import { newHolder, vaultOf } from '../../../../services/session-server/test/test-support/vault.ts'
import { expectPortuguese } from '../../test/english.ts'
import { sessionPages } from '../../test/sessions-world.ts'

const { consoleOf } = sessionPages()

const service = sharedSignatureService()
const proxy = sharedFaultProxy(service)

/** A server with a revoked certificate, a signature the service refused, and PINs that were wrong. */
async function troubledServer() {
  const world = await startSessionServer('SQLite', { signer: proxy })
  const { sessionId, cpf } = await newSession(world)
  const validationResults = { errors: [{ message: 'The certificate is revoked.' }] }
  proxy().fail('start', { status: 200, body: { success: false, validationResults } })
  expect((await signJson(world, sessionId, newPdf())).status).toBe(202)
  await vi.waitUntil(async () => (await rowsOf(world)).some(({ state }) => state === 'Canceled'), { interval: 20 })
  const held = await newHolder(world)
  running.pki.revoke(held.issued, { reason: 'keyCompromise' })
  world.clock.advance(20 * 60_000)
  const { certificates } = await vaultOf(world)
  expect((await certificates.recheck(held.id, world.clock()))?.status).toBe('REVOKED')
  // Last: wrong PINs count for a quarter of an hour.
  const wrong = { cpf, pin: 'not this one' }
  for (let at = 0; at < 5; at++) await world.json('POST', '/v1/sessions', wrong)
  return { world, held }
}

test('no page of the session server has a word of English in it for a Brazilian, whatever failed', async () => {
  const { world } = await troubledServer()
  const { enter, origin } = await consoleOf(world)
  const options = { locale: 'pt-BR', provoked: /40[14]/, elsewhere: [world.consoleUrl] } as const
  const { page } = await enter('/', options)
  await page.getByText('CPFs estão bloqueados por PINs errados').waitFor()
  const pages = ['/', '/sessions', '/history', '/signatures', '/certificates', '/lockouts', '/workstations']
  for (const path of [...pages, '/applications', '/administrators', '/events', '/account']) {
    await page.goto(`${origin}${path}`)
    await expectPortuguese(page, path)
  }
  await page.goto(`${origin}/signatures`)
  await page
    .getByRole('row', { name: /Cancelad/ })
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('dialog').getByText('Detalhe técnico').waitFor()
  await expectPortuguese(page, 'a signature that was canceled')
  await page.goto(`${origin}/certificates`)
  await page
    .getByRole('row', { name: /Revogado/ })
    .getByRole('button')
    .first()
    .click()
  await page.getByRole('dialog').getByText('A autoridade revogou o certificado.').waitFor()
  await expectPortuguese(page, 'a certificate that was revoked')
  await page.goto(`${world.consoleUrl}/nope`)
  await expectPortuguese(page, '/nope')
})
