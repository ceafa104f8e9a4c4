import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EngineError } from '@chancela/signature-engine'
import type { HttpExchange } from '@chancela/signature-engine/judgement'
import { type DigestSigner, keySigner } from '@chancela/signature-engine/keys'
import { Certificate } from '@chancela/signature-engine/x509'
import { testClock } from '@chancela/testkit/clock'
import { cachedKeys, type IssuedCertificate, type RunningDemoPki, startDemoPki } from '@chancela/testkit/demo-pki'
import { temporaryFolder } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MINUTE, SECOND } from '../clock/index.ts'
import { createCertificateWatch, createReadiness } from '../health/index.ts'
import { createLogger } from '../http/index.ts'
import { createMetrics } from '../metrics/index.ts'
import { CertificateGate, notRevoked, openTrust, watchOwnKey } from './index.ts'

const logger = createLogger({ service: 'test', level: 'silent' })
const clock = testClock()
let running: RunningDemoPki
beforeAll(async () => {
  running = await startDemoPki({ keys: cachedKeys(), clock })
})
afterAll(() => running.stop())

const setting = 'sample Signing:TrustAnchorsFile'
const certificate = (label: string) => Certificate.read(running.pki.certificate(label).der)

async function trusting(content: string) {
  const folder = temporaryFolder()
  const file = join(folder, 'roots.pem')
  await writeFile(file, content)
  return openTrust({ file, setting, kept: join(folder, 'kept.pem'), logger, clock })
}

describe('the roots of a file', () => {
  test('are whom certificates must lead to', async () => {
    const trust = await trusting(running.pki.trustAnchors())
    expect(trust.roots()).toHaveLength(1)
    const gate = new CertificateGate(trust)
    expect(await gate.reasons({ certificate: certificate('ana-souza') }, clock())).toEqual([])
    expect(await gate.verdict({ certificate: certificate('ana-souza') }, clock())).toMatchObject({
      indication: 'valid',
      path: { length: 4 },
    })
    for (const [label, reason] of [
      ['expired', /has ended/],
      ['revoked', /has revoked/],
      ['under-unknown-root', /does not trust/],
    ] as const) {
      const reasons = await gate.reasons({ certificate: certificate(label) }, clock())
      expect(reasons.join(' ')).toMatch(reason)
    }
  })

  test('stop the start when there are none, naming the setting', async () => {
    await expect(trusting('no certificate')).rejects.toMatchObject({ setting })
    const missing = { file: '/nowhere/roots.pem', setting, kept: '', logger, clock }
    await expect(openTrust(missing)).rejects.toMatchObject({ setting })
  })
})

test('a revocation is noticed within minutes, and the authority is asked once meanwhile', async () => {
  const gate = new CertificateGate(await trusting(running.pki.trustAnchors()))
  const holder = await running.pki.issuePerson({ name: 'Rita Prado', cpf: '52998224725', born: '1990-01-01' })
  const judged = { certificate: Certificate.read(holder.der) }
  expect(await gate.reasons(judged, clock())).toEqual([])
  running.pki.revoke(holder)
  expect(await gate.reasons(judged, clock())).toEqual([])
  clock.advance(5 * MINUTE + SECOND)
  expect(await gate.reasons(judged, clock())).toEqual([expect.stringMatching(/has revoked/)])
})

test('a revocation is noticed at once when the clock was set back, which does not say how old a verdict is', async () => {
  const gate = new CertificateGate(await trusting(running.pki.trustAnchors()))
  const holder = await running.pki.issuePerson({ name: 'Rui Prado', cpf: '52998224725', born: '1990-01-01' })
  const judged = { certificate: Certificate.read(holder.der) }
  const ahead = new Date(clock().getTime() + 10 * MINUTE)
  expect(await gate.reasons(judged, ahead)).toEqual([])
  running.pki.revoke(holder)
  clock.advance(SECOND)
  expect(await gate.reasons(judged, clock())).toEqual([expect.stringMatching(/has revoked/)])
})

describe('a key that a service signs with', () => {
  const watched = async (find: () => Promise<DigestSigner | undefined>) => {
    const readiness = createReadiness({ cacheSeconds: 0, clock })
    const metrics = createMetrics({ service: 'test', version: '1' })
    const certificates = createCertificateWatch({ readiness, metrics, clock, warningDays: 21, criticalDays: 3 })
    const gate = new CertificateGate(await trusting(running.pki.trustAnchors()))
    watchOwnKey({ clock, readiness, certificates }, { name: 'seal', find, gate })
    return async () => {
      clock.advance(6 * MINUTE)
      const { ready, checks } = await readiness.verdict()
      return [ready, ...checks.map(({ ok }) => ok)]
    }
  }
  const signerOf = ({ der, key: { privateKey } }: IssuedCertificate) =>
    keySigner({ certificate: Certificate.read(der), privateKey })

  test('is really tried: red while it does not open or signs with another key, and nothing gates', async () => {
    const [ana, davi] = ['ana-souza', 'davi-moreira'].map((label) => signerOf(running.pki.certificate(label)))
    let find: () => Promise<DigestSigner | undefined> = async () => undefined
    const look = await watched(() => find())
    expect(await look()).toEqual([true, true, true, true])
    find = async () => ana
    expect(await look()).toEqual([true, true, true, true])
    find = () => Promise.reject(new Error('The token is gone.'))
    expect(await look()).toEqual([true, false, true, true])
    // An elliptic key under a certificate of RSA: it signs, and the signature is not that of the certificate.
    find = async () => ({ ...davi!, certificate: ana!.certificate, sign: (request) => davi!.sign(request) })
    expect(await look()).toEqual([true, false, true, true])
    find = async () => ana
    expect(await look()).toEqual([true, true, true, true])
  })

  test('is told when its certificate is revoked; an authority that cannot be asked revokes nothing', async () => {
    const holder = await running.pki.issuePerson({ name: 'Nilo Reis', cpf: '52998224725', born: '1990-01-01' })
    const look = await watched(async () => signerOf(holder))
    expect(await look()).toEqual([true, true, true, true])
    running.pki.revoke(holder)
    expect(await look()).toEqual([true, true, false, true])
    const silent = { verdict: () => Promise.reject(new EngineError('http.failed', 'No answer.')) }
    const judged = { certificate: Certificate.read(holder.der) }
    expect(await notRevoked(silent as unknown as CertificateGate, judged, clock())).toMatchObject({ ok: true })
  })
})

describe('the official roots', () => {
  test('cannot be had offline: certificates are then not judged, and the next do not ask again', async () => {
    let asked = 0
    const exchange: HttpExchange = async () => {
      asked++
      throw new EngineError('http.failed', 'The server cannot be reached.')
    }
    const kept = join(temporaryFolder(), 'trust', 'icp-brasil.pem')
    const gate = new CertificateGate(await openTrust({ setting, kept, logger, clock, exchange }))
    const judged = { certificate: certificate('ana-souza') }
    for (let file = 0; file < 5; file++)
      expect(await gate.reasons(judged, clock())).toEqual([expect.stringContaining('cannot be reached')])
    expect(asked).toBe(1)
    clock.advance(MINUTE)
    await gate.reasons(judged, clock())
    expect(asked).toBe(2)
    clock.advance(-5 * MINUTE)
    await gate.reasons(judged, clock())
    expect(asked).toBe(3)
    clock.advance(5 * MINUTE)
    await expect(readFile(kept)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
