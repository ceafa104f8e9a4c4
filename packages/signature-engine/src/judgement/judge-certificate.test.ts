import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultKind, IssuedCertificate, RunningDemoPki } from '@chancela/testkit/demo-pki'
import { pkiOfToday } from '@chancela/testkit/test-files'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { nothing } from '../der/der-writer.ts'
import { toPem } from '../der/pem.ts'
import { exchangeOverHttp, type HttpExchange } from '../http/exchange.ts'
import { RevocationSource } from '../revocation/revocation-source.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { Certificate } from '../x509/certificate.ts'
import { keyPurposes } from '../x509/oids.ts'
import {
  authority,
  authorityKey,
  type Crafted,
  craft,
  extendedKeyUsage,
  extension,
  keyUsage,
  policies,
  subjectKey,
} from '../x509/test-support/crafted-certificate.ts'
import { createJudge, type JudgedCertificateOptions, type JudgeOptions } from './judge-certificate.ts'

let running: RunningDemoPki
beforeAll(async () => {
  running = await pkiOfToday()
})
afterEach(() => running.faults.clear())

const now = new Date()
const DAY = 24 * 60 * 60 * 1000
const daysAgo = (days: number) => new Date(now.getTime() - days * DAY)
const read = ({ der }: IssuedCertificate) => Certificate.read(der)
const certificate = (label: string) => read(running.pki.certificate(label))
const anchors = () => TrustAnchors.of([certificate('root')])

/** A judge that has only the root: issuers and revocation data come over HTTP. */
const onlineJudge = (options: Partial<JudgeOptions> = {}) =>
  createJudge({
    anchors: anchors(),
    revocation: new RevocationSource(),
    exchange: exchangeOverHttp,
    ...options,
  })

const judge = (
  label: string,
  options: Partial<JudgedCertificateOptions> = {},
  dependencies: Partial<JudgeOptions> = {},
) => onlineJudge(dependencies).certificate(certificate(label), { at: now, now, ...options })

const codes = ({ reasons }: { reasons: readonly { code: string }[] }) => reasons.map(({ code }) => code)

const labels = [
  ['ana-souza', 'valid', []],
  ['bruno-lima', 'valid', []],
  ['carla-nogueira', 'valid', []],
  ['davi-moreira', 'valid', []],
  ['helena-prado', 'valid', []],
  ['padaria-aurora', 'valid', []],
  ['cooperativa-ipe', 'valid', []],
  ['equipment', 'valid', []],
  ['bulky-good', 'valid', []],
  ['expired', 'indeterminate', ['validity.expired']],
  ['not-yet-valid', 'invalid', ['validity.not-yet-valid']],
  ['revoked', 'invalid', ['revocation.revoked']],
  ['bulky-revoked', 'invalid', ['revocation.revoked']],
  ['under-unknown-root', 'indeterminate', ['chain.untrusted-root']],
] as const

describe('the holders of the demo, judged over HTTP', () => {
  test.each(labels)('%s is %s', async (label, indication, reasons) => {
    const verdict = await judge(label)
    expect(codes(verdict)).toEqual(reasons)
    expect(verdict.indication).toBe(indication)
  })

  test.each(labels)('openssl agrees that %s is %s', async (label, indication) => {
    const folder = temporaryFolder()
    const chain = running.pki.chainOf(running.pki.certificate(label))
    const file = (name: string, ...pems: string[]) => {
      writeFileSync(join(folder, name), pems.join(''))
      return join(folder, name)
    }
    const lists = await Promise.all(chain.slice(1).map((issuer) => running.pki.revocationList(issuer)))
    const run = await openssl([
      'verify',
      '-crl_check_all',
      ...['-CAfile', file('root.pem', running.pki.trustAnchors())],
      ...['-untrusted', file('chain.pem', ...chain.slice(1).map(({ x509 }) => x509.toString()))],
      ...['-CRLfile', file('lists.pem', ...lists.map(({ der }) => toPem('X509 CRL', der)))],
      file('holder.pem', chain[0]!.x509.toString()),
    ])
    expect(run.ok).toBe(indication === 'valid')
  })

  test('the verdict tells the path, the anchor and where revocation was learned', async () => {
    const verdict = await judge('ana-souza')
    expect(verdict.path.map(({ subject }) => subject.commonName)).toEqual([
      'ANA BEATRIZ SOUZA:52998224725',
      'AC Pessoas Demo v1',
      'AC Secretaria Demo v1',
      'AC Raiz Demo v1',
    ])
    expect(verdict.anchor).toBe(certificate('root'))
    expect(verdict.revocation.map(({ state, source }) => [state, source])).toEqual([
      ['good', 'ocsp'],
      ['good', 'crl'],
      ['good', 'crl'],
    ])
    expect(verdict.revocation[0]).toMatchObject({ url: expect.stringContaining('/ocsp'), problem: null })
  })

  test('a revocation is told with its date and reason', async () => {
    const verdict = await judge('revoked')
    expect(verdict.reasons[0]).toMatchObject({
      certificate: certificate('revoked'),
      details: { reason: 'keyCompromise' },
    })
    expect(verdict.revocation[0]).toMatchObject({
      state: 'revoked',
      reason: 'keyCompromise',
      revokedAt: expect.any(Date),
    })
  })

  test('a certificate on hold is indeterminate, because the hold may be lifted', async () => {
    const held = await running.pki.issuePerson({ name: 'Em Espera' }, { key: 'P-256' })
    running.pki.revoke(held, { reason: 'certificateHold' })
    const verdict = await onlineJudge().certificate(read(held), { at: new Date(), now: new Date() })
    expect(verdict.indication).toBe('indeterminate')
    expect(codes(verdict)).toEqual(['revocation.on-hold'])
  })
})

describe('a proven time', () => {
  test('before the revocation leaves the certificate valid', async () => {
    const verdict = await judge('revoked', { at: daysAgo(10) })
    expect(verdict.indication).toBe('valid')
    expect(verdict.revocation[0]).toMatchObject({ state: 'good', revokedAt: expect.any(Date) })
  })

  test('after the revocation does not', async () => {
    expect(codes(await judge('revoked', { at: daysAgo(3) }))).toEqual(['revocation.revoked'])
  })

  test('inside the validity of an expired certificate leaves only its revocation open: nobody speaks of it any more', async () => {
    const verdict = await judge('expired', { at: daysAgo(60) })
    expect(verdict.indication).toBe('indeterminate')
    expect(codes(verdict)).toEqual(['revocation.unknown'])
    expect(verdict.revocation[0]?.problem).toContain('expired')
  })

  test('with revocation data of that time makes an expired certificate valid', async () => {
    const ana = certificate('ana-souza')
    const data = await onlineJudge().validationData(ana, { at: now, now })
    const later = new Date(ana.notAfter.getTime() + 30 * DAY)
    const offline = createJudge({ anchors: anchors() })
    const { certificates } = data
    const verdict = await offline.certificate(ana, { at: now, now: later, certificates, evidence: data })
    expect(verdict.indication).toBe('valid')
    expect(verdict.revocation.every(({ url }) => url === null)).toBe(true)
  })
})

describe('data inside the signature', () => {
  test('is enough, without any network', async () => {
    const data = await onlineJudge().validationData(certificate('bulky-good'), { at: now, now })
    expect(data.anchor).toBe(certificate('root'))
    expect(data.crls.length).toBe(3)
    const offline = createJudge({ anchors: anchors() })
    const { certificates } = data
    const verdict = await offline.certificate(certificate('bulky-good'), { at: now, now, certificates, evidence: data })
    expect(verdict.indication).toBe('valid')
  })

  test('that has become stale is told apart from no data', async () => {
    const data = await onlineJudge().validationData(certificate('ana-souza'), { at: now, now })
    const offline = createJudge({ anchors: anchors(), intermediates: data.certificates })
    const inTwoDays = new Date(now.getTime() + 2 * DAY)
    const stale = await offline.certificate(certificate('ana-souza'), { at: inTwoDays, now: inTwoDays, evidence: data })
    expect(codes(stale)).toEqual(['revocation.stale'])
    const none = await offline.certificate(certificate('ana-souza'), { at: now, now })
    expect(codes(none)).toEqual(['revocation.unknown', 'revocation.unknown', 'revocation.unknown'])
    expect([stale.indication, none.indication]).toEqual(['indeterminate', 'indeterminate'])
  })

  test('that nobody can read is passed over', async () => {
    const evidence = { crls: [Buffer.from('noise'), Buffer.alloc(0)], ocsps: [Buffer.of(0x30, 0x03, 0x0a, 1, 3)] }
    expect((await judge('ana-souza', { evidence })).indication).toBe('valid')
  })

  test('of another certificate proves nothing', async () => {
    const { ocsps } = await onlineJudge().validationData(certificate('ana-souza'), { at: now, now })
    const verdict = await createJudge({
      anchors: anchors(),
      intermediates: [certificate('level-1'), certificate('level-2')],
    }).certificate(certificate('bruno-lima'), { at: now, now, evidence: { crls: [], ocsps } })
    expect(verdict.revocation[0]).toMatchObject({ state: 'unknown' })
  })
})

describe('when servers fail', () => {
  test.each([
    'down',
    'http-500',
    'reset',
    'garbage',
    'wrong-signature',
    'wrong-nonce',
    'stale',
    'try-later',
    'late',
  ] satisfies FaultKind<'ocsp'>[])('OCSP that is %s gives way to the list', async (kind) => {
    running.faults.set('ocsp', { kind, delayMs: 5_000 })
    // Only OCSP has a short timeout: a busy machine may be slow with the rest.
    const exchange: HttpExchange = (request) =>
      exchangeOverHttp({ ...request, timeoutMs: request.url.includes('/ocsp') ? 1_000 : request.timeoutMs })
    const verdict = await judge('ana-souza', {}, { revocation: new RevocationSource({ exchange }) })
    expect(verdict.indication).toBe('valid')
    expect(verdict.revocation[0]).toMatchObject({ source: 'crl', url: expect.stringContaining('/crl/') })
  })

  test.each(['down', 'garbage', 'wrong-signature', 'stale'] satisfies FaultKind<'crl'>[])(
    'a distribution point that is %s gives way to the mirror',
    async (kind) => {
      running.faults.set('crl', { kind })
      const verdict = await judge('bulky-good')
      expect(verdict.indication).toBe('valid')
      expect(verdict.revocation[0]).toMatchObject({ source: 'crl', url: expect.stringContaining('/crl-mirror/') })
    },
  )

  test('with all of them down, revocation is unknown, and the reason says what was tried', async () => {
    for (const area of ['ocsp', 'crl', 'crl-mirror'] as const) running.faults.set(area, { kind: 'http-500' })
    const verdict = await judge('ana-souza')
    expect(verdict.indication).toBe('indeterminate')
    expect(codes(verdict)).toEqual(['revocation.unknown', 'revocation.unknown', 'revocation.unknown'])
    expect(verdict.revocation[0]?.problem).toMatch(/ocsp.*500.*crl.*500.*crl-mirror.*500/)
  })

  test('with stale answers only, revocation is stale', async () => {
    for (const area of ['ocsp', 'crl', 'crl-mirror'] as const) running.faults.set(area, { kind: 'stale' })
    const verdict = await judge('ana-souza')
    expect(codes(verdict)).toEqual(['revocation.stale', 'revocation.stale', 'revocation.stale'])
    expect(verdict.indication).toBe('indeterminate')
  })

  test('a stale list that has the certificate still proves the revocation', async () => {
    running.faults.set('ocsp', { kind: 'down' })
    running.faults.set('crl', { kind: 'stale' })
    running.faults.set('crl-mirror', { kind: 'stale' })
    expect(codes(await judge('revoked'))).toContain('revocation.revoked')
  })

  test.each(['down', 'garbage', 'http-500'] satisfies FaultKind<'aia'>[])(
    'issuers whose address is %s leave the path open',
    async (kind) => {
      running.faults.set('aia', { kind })
      const verdict = await judge('ana-souza')
      expect(codes(verdict)).toEqual(['chain.no-path'])
      expect(verdict).toMatchObject({ indication: 'indeterminate', anchor: null })
    },
  )

  test('a downloaded issuer with a wrong signature is no issuer', async () => {
    running.faults.set('aia', { kind: 'wrong-signature' })
    const verdict = await judge('ana-souza')
    expect(verdict.anchor).toBeNull()
    expect(verdict.indication).toBe('invalid')
    expect(codes(verdict)).toEqual(['chain.wrong-signature'])
  })

  test('the issuers beside the signature make the download needless', async () => {
    running.faults.set('aia', { kind: 'down' })
    const certificates = running.pki.chainOf(running.pki.certificate('ana-souza')).map(read)
    expect((await judge('ana-souza', { certificates })).indication).toBe('valid')
  })
})

describe('who is asked', () => {
  /** An exchange that records its calls. */
  function recording(): { exchange: HttpExchange; calls: string[] } {
    const calls: string[] = []
    const exchange: HttpExchange = (request) => {
      calls.push(request.url)
      return exchangeOverHttp(request)
    }
    return { calls, exchange }
  }

  test('nobody, about the revocation of a stranger', async () => {
    const { exchange, calls } = recording()
    await judge('under-unknown-root', {}, { exchange, revocation: new RevocationSource({ exchange }) })
    expect(calls.filter((url) => !url.includes('/aia/'))).toEqual([])
  })

  test('everybody once, by many who judge at the same time and again', async () => {
    const { exchange, calls } = recording()
    const shared = onlineJudge({ exchange, revocation: new RevocationSource({ exchange }) })
    const verdicts = await Promise.all(
      Array.from({ length: 20 }, () => shared.certificate(certificate('bulky-good'), { at: now, now })),
    )
    await shared.certificate(certificate('bulky-revoked'), { at: now, now })
    expect(verdicts.every(({ indication }) => indication === 'valid')).toBe(true)
    expect(calls.length).toBe(new Set(calls).size)
    expect(calls.filter((url) => url.includes('/crl/')).length).toBe(3)
  })
})

describe('purposes and policies', () => {
  test.each([
    ['tsa', 'timestamping', []],
    ['tsa', 'signing', ['keyUsage.unfit']],
    ['ana-souza', 'timestamping', ['keyUsage.unfit']],
    ['ocsp-level-2', 'ocsp-signing', []],
    ['ocsp-level-2', 'signing', ['keyUsage.unfit']],
    ['ana-souza', 'ocsp-signing', ['keyUsage.unfit']],
    ['tsa', 'any', []],
  ] as const)('%s for %s: %j', async (label, purpose, reasons) => {
    expect(codes(await judge(label, { purpose }))).toEqual(reasons)
  })

  test('a certificate policy outside the acceptable arcs is refused, on whole components', async () => {
    expect(codes(await judge('ana-souza', { policies: ['2.16.76.1.2.1', '2.16.76.1.2.3'] }))).toEqual([])
    expect(codes(await judge('ana-souza', { policies: ['2.16.76.1.2.3'] }))).toEqual(['policy.unacceptable'])
    expect(codes(await judge('ana-souza', { policies: ['2.16.76.1.2.1.9'] }))).toEqual(['policy.unacceptable'])
  })
})

describe('crafted paths', () => {
  const at = new Date('2027-06-01')
  const root = craft({ subject: { CN: 'Root' }, extensions: authority() })
  const intermediate = craft({ subject: { CN: 'Intermediate' }, issuer: root, extensions: authority(0) })
  const holderUsage = keyUsage('digitalSignature')

  /** The reasons without those of revocation, which is not queried here. */
  async function reasonsFor(
    holder: Crafted,
    others: readonly Crafted[],
    options: Partial<JudgedCertificateOptions> = {},
  ) {
    const verdict = await createJudge({ anchors: TrustAnchors.of([root.certificate]) }).certificate(
      holder.certificate,
      {
        at,
        now: at,
        certificates: others.map((other) => other.certificate),
        ...options,
      },
    )
    return codes(verdict).filter((code) => !code.startsWith('revocation.'))
  }

  test('a good one has nothing against it', async () => {
    expect(await reasonsFor(craft({ issuer: intermediate, extensions: [holderUsage] }), [intermediate])).toEqual([])
  })

  test('without key usage the key is not restricted', async () => {
    expect(await reasonsFor(craft({ issuer: intermediate }), [intermediate])).toEqual([])
  })

  test('key usage for encryption alone does not sign', async () => {
    const holder = craft({ issuer: intermediate, extensions: [keyUsage('keyEncipherment')] })
    expect(await reasonsFor(holder, [intermediate])).toEqual(['keyUsage.unfit'])
  })

  test('a holder cannot issue', async () => {
    const holder = craft({ issuer: intermediate, extensions: [holderUsage] })
    expect(await reasonsFor(craft({ issuer: holder }), [holder, intermediate])).toContain('chain.not-an-authority')
  })

  test('an authority without keyCertSign cannot issue', async () => {
    const [constraints] = authority()
    const lame = craft({ issuer: root, extensions: [constraints!, keyUsage('cRLSign')] })
    expect(await reasonsFor(craft({ issuer: lame }), [lame])).toEqual(['chain.not-an-authority'])
  })

  test('an authority below one with path length zero makes the path too long', async () => {
    const deeper = craft({ subject: { CN: 'Deeper' }, issuer: intermediate, extensions: authority() })
    expect(await reasonsFor(craft({ issuer: deeper }), [deeper, intermediate])).toEqual(['chain.path-too-long'])
  })

  test('a critical extension that the engine does not know is not passed over', async () => {
    const holder = craft({ issuer: intermediate, extensions: [extension('1.2.3.4.5', nothing, true)] })
    expect(await reasonsFor(holder, [intermediate])).toEqual(['chain.unknown-critical-extension'])
    const harmless = craft({ issuer: intermediate, extensions: [extension('1.2.3.4.5', nothing)] })
    expect(await reasonsFor(harmless, [intermediate])).toEqual([])
  })

  test.each([
    ['2026-05-31T23:59:59Z', ['validity.not-yet-valid']],
    ['2026-06-01T00:00:00Z', []],
    ['2026-07-01T00:00:00Z', []],
    ['2026-07-01T00:00:01Z', ['validity.expired']],
  ])('at %s a certificate is valid from its first moment to its last', async (moment, reasons) => {
    const validity = { notBefore: new Date('2026-06-01'), notAfter: new Date('2026-07-01') }
    const holder = craft({ issuer: intermediate, ...validity })
    expect(await reasonsFor(holder, [intermediate], { at: new Date(moment) })).toEqual(reasons)
  })

  test('timestamping needs the purpose alone and critical', async () => {
    const stamper = (critical: boolean, ...purposes: string[]) =>
      craft({ issuer: intermediate, extensions: [extendedKeyUsage(critical, ...purposes)] })
    const { timeStamping, ocspSigning } = keyPurposes
    const purpose = 'timestamping'
    expect(await reasonsFor(stamper(true, timeStamping), [intermediate], { purpose })).toEqual([])
    expect(await reasonsFor(stamper(false, timeStamping), [intermediate], { purpose })).toEqual(['keyUsage.unfit'])
    expect(await reasonsFor(stamper(true, timeStamping, ocspSigning), [intermediate], { purpose })).toEqual([
      'keyUsage.unfit',
    ])
  })

  test('SHA-1 and short RSA keys are weak now, and were not in their time', async () => {
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const old = { notBefore: new Date('2010-01-01'), notAfter: new Date('2030-01-01') }
    const oldRoot = craft({ subject: { CN: 'Old root' }, extensions: authority(), ...old })
    const holder = craft({ issuer: oldRoot, keys: weak, hash: 'sha1', ...old })
    const verdictAt = (moment: Date) =>
      createJudge({ anchors: TrustAnchors.of([oldRoot.certificate]) }).certificate(holder.certificate, {
        at: moment,
        now: at,
      })
    const today = await verdictAt(at)
    expect(codes(today).filter((code) => code === 'algorithm.weak').length).toBe(2)
    expect(today.indication).toBe('invalid')
    expect(codes(await verdictAt(new Date('2011-01-01')))).not.toContain('algorithm.weak')
  })

  test('a signature that the named key did not make is a forgery', async () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const issuer = craft({
      subject: { CN: 'Named' },
      issuer: root,
      keys,
      extensions: [...authority(), subjectKey(keys.publicKey)],
    })
    const holder = craft({ issuer, extensions: [authorityKey(keys.publicKey)], forged: true })
    expect(await reasonsFor(holder, [issuer])).toEqual(['chain.wrong-signature'])
  })

  test('another authority of the same name is no forgery, only no path', async () => {
    const other = craft({ subject: { CN: 'Intermediate' }, issuer: root, extensions: authority() })
    expect(await reasonsFor(craft({ issuer: other }), [intermediate])).toEqual(['chain.no-path'])
  })

  test('of several paths, the one against which nothing speaks is taken', async () => {
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const subject = { CN: 'Renewed' }
    const expired = craft({ subject, issuer: root, keys, extensions: authority(), notAfter: new Date('2026-06-01') })
    const renewed = craft({ subject, issuer: root, keys, extensions: authority() })
    const holder = craft({ issuer: renewed })
    expect(await reasonsFor(holder, [expired, renewed])).toEqual([])
    expect(await reasonsFor(holder, [expired])).toEqual(['validity.expired'])
  })

  test('authorities that certify each other do not go round for ever', async () => {
    const one = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const two = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const first = craft({ subject: { CN: 'One' }, keys: one, extensions: authority() })
    const second = craft({ subject: { CN: 'Two' }, keys: two, issuer: first, extensions: authority() })
    const firstAgain = craft({ subject: { CN: 'One' }, keys: one, issuer: second, extensions: authority() })
    expect(await reasonsFor(craft({ issuer: second }), [second, firstAgain])).toEqual(['chain.no-path'])
    expect(await reasonsFor(craft({ issuer: second }), [second, firstAgain, first])).toContain('chain.untrusted-root')
  })

  test('thousands of issuers of the same name end in a verdict', async () => {
    const decoys = Array.from({ length: 1_000 }, () => root)
    const many = Array.from({ length: 60 }, () => craft({ subject: { CN: 'Intermediate' }, extensions: authority() }))
    const holder = craft({ issuer: intermediate })
    expect(await reasonsFor(holder, [...decoys, ...many])).toEqual(['chain.no-path'])
  })

  test('a certificate that is trusted itself needs no path', async () => {
    const pinned = craft({ extensions: [holderUsage, policies('1.2.3')] })
    const verdict = await createJudge({ anchors: TrustAnchors.of([pinned.certificate]) }).certificate(
      pinned.certificate,
      { at, now: at },
    )
    expect(verdict).toMatchObject({ indication: 'valid', anchor: pinned.certificate, revocation: [] })
  })
})

describe('validation data for long-term levels', () => {
  test('has the whole path, the OCSP signer, and what proves every certificate but the root', async () => {
    const data = await onlineJudge().validationData(certificate('ana-souza'), { at: now, now })
    expect(data.certificates.map(({ subject }) => subject.commonName)).toEqual([
      'ANA BEATRIZ SOUZA:52998224725',
      'AC Pessoas Demo v1',
      'AC Secretaria Demo v1',
      'AC Raiz Demo v1',
      'Respondedor OCSP Demo',
    ])
    expect([data.ocsps.length, data.crls.length]).toEqual([1, 2])
  })

  test('is refused by name where something is missing', async () => {
    for (const area of ['ocsp', 'crl', 'crl-mirror'] as const) running.faults.set(area, { kind: 'down' })
    await expect(onlineJudge().validationData(certificate('ana-souza'), { at: now, now })).rejects.toMatchObject({
      code: 'revocation.unavailable',
      details: { subject: expect.stringContaining('ANA BEATRIZ SOUZA') },
    })
  })

  test('is refused for a certificate nobody should rely on', async () => {
    await expect(
      onlineJudge().validationData(certificate('under-unknown-root'), { at: now, now }),
    ).rejects.toMatchObject({ code: 'judgement.untrusted' })
    await expect(onlineJudge().validationData(certificate('revoked'), { at: now, now })).rejects.toMatchObject({
      code: 'judgement.not-valid',
      details: { reasons: 'revocation.revoked' },
    })
  })
})

test('a certificate with any byte changed ends in a verdict or a refusal, never in valid', async () => {
  const { der } = running.pki.certificate('davi-moreira')
  const intermediates = [certificate('level-2'), certificate('level-1')]
  const offline = createJudge({ anchors: anchors(), intermediates })
  const outcomes = new Set<string>()
  for (let offset = 0; offset < der.length; offset++) {
    const changed = Buffer.from(der)
    changed[offset]! ^= 1 << (offset % 8)
    try {
      const verdict = await offline.certificate(Certificate.read(changed), { at: now, now })
      outcomes.add(verdict.anchor ? 'anchored' : 'not anchored')
    } catch (error) {
      outcomes.add((error as { code?: string }).code ?? String(error))
    }
  }
  expect([...outcomes].sort()).toEqual(['certificate.malformed', 'not anchored'])
})
