// A person in a browser, from the creation of a session through the provider's pages back to the client, and the
// signatures the client then makes, which independent programs accept.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { signCades } from '@chancela/signature-engine/cades'
import { type DigestSigner, remoteSigner } from '@chancela/signature-engine/keys'
import { signPades } from '@chancela/signature-engine/pades'
import { readCertificates } from '@chancela/signature-engine/x509'
import { openBrowser, type TestBrowser, type WatchedPage } from '@chancela/testkit/browser'
import { type RunningCloudProvider, startCloudProvider } from '@chancela/testkit/cloud-provider'
import { startReceiver } from '@chancela/testkit/receiver'
import { samplePdf } from '@chancela/testkit/samples'
import { openssl, runTool, temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allowRedirects } from './test-support/authorized.ts'
import { databases, type HubWorld, sharedHub, testOnce } from './test-support/hub-world.ts'
import { clock, running } from './test-support/pki.ts'
import { addProvider } from './test-support/providers.ts'

/** Machines may be slow, and browsers are. */
const patient = { timeout: 60_000 }

let browser: TestBrowser
let provider: RunningCloudProvider
beforeAll(async () => {
  browser = await openBrowser()
  provider = await startCloudProvider({ pki: running.pki, clock })
})
afterAll(async () => {
  await browser.close()
  await provider.stop()
})

// At a PSC the holder chooses a certificate; with CSC the hub chooses, and requests it in a second consent.
const psc = { protocol: 'psc', version: 'v0', consents: 1, chosen: 'bruno-lima', signedBy: 'bruno-lima' } as const
const csc = { protocol: 'csc', version: '2.0', consents: 2, chosen: undefined, signedBy: 'bruno-lima-renewed' } as const
const olderAndNewer = [
  { ...csc, version: '1.0.4' },
  { ...csc, version: '2.2' },
] as const

type Protocol = typeof psc | typeof csc | (typeof olderAndNewer)[number]

for (const database of databases) {
  describe(`a person with a cloud certificate, on ${database}`, () => {
    const once = testOnce(database)
    const hub = sharedHub(database)

    // Differences between protocols do not depend on the database.
    const protocols: readonly Protocol[] = database === 'SQLite' ? [psc, csc, ...olderAndNewer] : [psc]
    test.each(protocols)('signs a PDF and a file through the hub over $protocol $version', async (protocol) => {
      const { serviceName } = await addProvider(hub(), provider, addressed(protocol))
      const client = await startClient(hub())
      const { body } = await hub().json('POST', '/api/sessions', {
        identifier: holder().identifier,
        type: 'SignatureSession',
        redirectUri: `${client.url}?file=7`,
        customState: 'contract 7',
      })
      const watched = await browser.newPage({ locale: 'pt-BR', viewport: { width: 390, height: 760 } })
      await watched.page.goto(offered(body, serviceName))
      await logIn(watched)
      await decide(watched, 'Autorizar', protocol)

      const session = await returned(watched, `${client.url}?file=7&session=`)
      expect((await hub().json('GET', `/api/sessions/custom-state?session=${session}`)).body).toBe('contract 7')
      const signer = await signerUnder(hub(), session, protocol)
      await expectPdfSignature(signer)
      await expectFileSignature(signer)
      expect(watched.policyViolations).toEqual([])
    })

    once('comes to the provider by the chooser page, and signs once', async () => {
      const { serviceName } = await addProvider(hub(), provider, addressed(psc))
      const client = await startClient(hub())
      const asked = { identifier: holder().identifier, type: 'SingleSignature', redirectUri: client.url }
      const { body } = await hub().json('POST', '/api/sessions/chooser', asked)
      const watched = await browser.newPage({ locale: 'pt-BR', viewport: { width: 390, height: 760 } })
      await watched.page.goto(body.chooserUrl)
      await watched.page.getByRole('link', { name: serviceName }).click(patient)
      await logIn(watched)
      await decide(watched, 'Autorizar', psc)

      const signer = await signerUnder(hub(), await returned(watched, `${client.url}?session=`), psc)
      await expectPdfSignature(signer)
      await expect(expectFileSignature(signer)).rejects.toThrow('422 {"code":"SessionInvalidOrAlreadyUsed"')
      expect([watched.errors, watched.policyViolations, watched.outsideRequests()]).toEqual([[], [], []])
    })

    once('refuses, and the client gets an error and a session that is void', async () => {
      const { serviceName } = await addProvider(hub(), provider, addressed(psc))
      const client = await startClient(hub())
      const { body } = await hub().json('POST', `/api/sessions/services/${serviceName}`, { redirectUri: client.url })
      const watched = await browser.newPage({ locale: 'pt-BR' })
      await watched.page.goto(body.authUrl)
      await logIn(watched)
      await decide(watched, 'Recusar', psc)

      const session = await returned(watched, `${client.url}?`)
      expect(new URL(watched.page.url()).searchParams.get('error')).toBe('access_denied')
      const { status, body: refusal } = await hub().json('GET', `/api/sessions/certificate?session=${session}`)
      expect([status, refusal.code]).toEqual([422, 'SessionInvalidOrAlreadyUsed'])
    })
  })
}

/** The client application, as far as browsers see it. */
async function startClient(hub: HubWorld) {
  const client = await startReceiver((_, response) => response.end('Welcome back.'))
  await allowRedirects(hub, client.url)
  return client
}

const holder = () => provider.holders.find(({ label }) => label === 'bruno-lima')!

const addressed = (one: Protocol) =>
  one.protocol === 'psc' ? { protocol: one.protocol } : { protocol: one.protocol, version: one.version }

/** The provider's URL among those the hub offers. */
const offered = (
  { services }: { readonly services: readonly { serviceInfo: { serviceName: string }; authUrl: string }[] },
  name: string,
): string => services.find(({ serviceInfo }) => serviceInfo.serviceName === name)!.authUrl

async function logIn({ page }: WatchedPage): Promise<void> {
  const { identifier, pin } = holder()
  await page.getByLabel('CPF ou CNPJ').fill(identifier, patient)
  await page.getByLabel('PIN').fill(pin)
  await page.getByRole('button', { name: 'Continuar' }).click()
}

/** Chooses the older of two valid certificates where there is a choice, and decides. */
async function decide({ page }: WatchedPage, decision: string, { consents, chosen }: Protocol): Promise<void> {
  for (let consent = 1; consent <= consents; consent++) {
    await page.getByRole('heading', { name: 'Autorizar' }).waitFor(patient)
    if (chosen) await page.locator(`input[value="${chosen}"]`).check()
    const here = page.url()
    await page.getByRole('button', { name: decision }).click()
    await page.waitForURL((url) => url.href !== here, patient)
  }
}

/** The session in the redirect to a URL with this prefix. */
async function returned({ page }: WatchedPage, address: string): Promise<string> {
  await page.getByText('Welcome back.').waitFor(patient)
  expect(page.url().startsWith(address)).toBe(true)
  return new URL(page.url()).searchParams.get('session')!
}

/** The session as a remote key: digests of the engine are signed with sign-hash. */
async function signerUnder(hub: HubWorld, session: string, { signedBy }: Protocol): Promise<DigestSigner> {
  const { body } = await hub.json('GET', `/api/sessions/certificate?session=${session}`)
  const [expected, ...chain] = running.pki.chainOf(running.pki.certificate(signedBy))
  expect(body).toBe(expected!.der.toString('base64'))
  const [certificate] = readCertificates(Buffer.from(body, 'base64'))
  return remoteSigner({
    certificate: certificate!,
    chain: chain.flatMap(({ der }) => readCertificates(der)),
    sign: async ({ digest }) => {
      const hash = Buffer.from(digest).toString('base64')
      const asked = { session, hash, digestAlgorithm: 'SHA-256' }
      const answer = await hub.json('POST', '/api/sessions/sign-hash', asked)
      if (answer.status !== 200) throw new Error(`sign-hash answered ${answer.status} ${answer.text}`)
      return Buffer.from(answer.body, 'base64')
    },
  })
}

async function expectPdfSignature(signer: DigestSigner): Promise<void> {
  const file = join(temporaryFolder(), 'signed.pdf')
  writeFileSync(
    file,
    await signPades(samplePdf('Assinado com um certificado na nuvem.'), signer, {
      level: 'B-B',
      now: clock(),
    }),
  )
  const { text } = await runTool('pdfsig', ['-nocert', file])
  expect(text).toContain('Signature is Valid')
  expect(text).toContain('BRUNO CARVALHO LIMA')
}

async function expectFileSignature(signer: DigestSigner): Promise<void> {
  const folder = temporaryFolder()
  const content = Buffer.from('an important file\n')
  writeFileSync(join(folder, 'roots.pem'), running.pki.trustAnchors())
  const input = await signCades(content, signer, { level: 'B-B', now: clock() })
  const trust = ['-CAfile', 'roots.pem', '-purpose', 'any', '-attime', `${Math.floor(clock().getTime() / 1000)}`]
  const { ok, stdout } = await openssl(['cms', '-verify', '-binary', '-inform', 'DER', ...trust], { input, folder })
  expect([ok, stdout.toString()]).toEqual([true, content.toString()])
}
