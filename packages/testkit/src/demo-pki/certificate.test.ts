import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY, plus } from '@chancela/service-kernel/clock'
import { toPem } from '@chancela/signature-engine/der'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openssl } from '../tools/run-tool.ts'
import type { IssuedCertificate } from './certificate.ts'
import { createDemoPki } from './create-demo-pki.ts'
import type { DemoPki } from './demo-pki.ts'
import { cachedKeys } from './keys.ts'

let pki: DemoPki
let folder: string

beforeAll(async () => {
  pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })
  folder = await mkdtemp(join(tmpdir(), 'demo-pki-certificate-'))
  await writeFile(join(folder, 'anchors.pem'), pki.trustAnchors())
  const others = pki.authorities().filter(({ label }) => label !== 'root')
  await writeFile(join(folder, 'others.pem'), others.map(({ x509 }) => x509.toString()).join(''))
  await writeFile(join(folder, 'lists.pem'), await listsOf(pki, 'root', 'level-1', 'level-2', 'unknown-root'))
  await writeFile(join(folder, 'bulky-lists.pem'), await listsOf(pki, 'root', 'level-1', 'bulky'))
})
afterAll(() => rm(folder, { recursive: true }))

/** openssl's verdict under its strictest reading of RFC 5280, with revocation lists for the whole chain. */
function verify({ issuer, x509 }: IssuedCertificate, ...options: string[]) {
  const lists = join(folder, issuer === 'bulky' ? 'bulky-lists.pem' : 'lists.pem')
  return openssl(['verify', '-x509_strict', ...trust(), '-CRLfile', lists, '-crl_check_all', ...options], {
    input: x509.toString(),
  })
}

async function listsOf(from: DemoPki, ...labels: string[]): Promise<string> {
  const lists = await Promise.all(labels.map((label) => from.revocationList(from.certificate(label))))
  return lists.map(({ der }) => toPem('X509 CRL', der)).join('')
}

const trust = (): string[] => ['-CAfile', join(folder, 'anchors.pem'), '-untrusted', join(folder, 'others.pem')]

describe('what openssl says of each certificate', () => {
  test.each([
    'ana-souza',
    'bruno-lima',
    'carla-nogueira',
    'davi-moreira',
    'helena-prado',
    'padaria-aurora',
    'cooperativa-ipe',
    'equipment',
    'without-email',
    'without-cpf',
    'wrong-cpf',
    'cpf-in-common-name',
    'octet-string',
    'utf8-string',
    'ia5-string',
    'doubled-tag',
    'bulky-good',
    'tsa',
    'ocsp-level-2',
  ])('%s is valid up to the root, and not revoked', async (label) => {
    const { ok, text } = await verify(pki.certificate(label))
    expect(text).toMatch(/^stdin: OK/)
    expect(ok).toBe(true)
  })

  test.each([
    ['expired', 10, 'certificate has expired'],
    ['not-yet-valid', 9, 'certificate is not yet valid'],
    ['revoked', 23, 'certificate revoked'],
    ['bulky-revoked', 23, 'certificate revoked'],
    ['under-unknown-root', 19, 'self-signed certificate in certificate chain'],
  ])('%s is refused with error %d, %s', async (label, error, sentence) => {
    const { ok, text } = await verify(pki.certificate(label))
    expect(text).toContain(`error ${error} at`)
    expect(text).toContain(sentence)
    expect(ok).toBe(false)
  })

  test('an expired certificate was valid while it lasted, a future one will be', async () => {
    for (const label of ['expired', 'not-yet-valid']) {
      const certificate = pki.certificate(label)
      const during = plus(new Date(certificate.x509.validFrom), 100 * DAY).getTime() / 1000
      const { text } = await openssl(['verify', ...trust(), '-attime', String(during)], {
        input: certificate.x509.toString(),
      })
      expect(text).toMatch(/^stdin: OK/)
    }
  })

  test('a revoked authority takes its holders with it', async () => {
    const own = await createDemoPki({ baseUrl: pki.baseUrl, clock: pki.clock, keys: cachedKeys() })
    own.revoke(own.certificate('level-2'), { reason: 'cACompromise' })
    const files = join(folder, 'revoked-authority')
    await writeFile(`${files}.crl`, await listsOf(own, 'root', 'level-1', 'level-2'))
    await writeFile(`${files}.root`, own.trustAnchors())
    await writeFile(
      `${files}.cas`,
      ['level-1', 'level-2'].map((label) => own.certificate(label).x509.toString()).join(''),
    )
    const { text } = await openssl(
      [
        'verify',
        '-CAfile',
        `${files}.root`,
        '-untrusted',
        `${files}.cas`,
        '-CRLfile',
        `${files}.crl`,
        '-crl_check_all',
      ],
      { input: own.certificate('ana-souza').x509.toString() },
    )
    expect(text).toMatch(/error 23 at 1 depth lookup: certificate revoked/)
  })

  test.each([
    ['ana-souza', 'smimesign', true],
    ['ana-souza', 'sslclient', true],
    ['ana-souza', 'timestampsign', false],
    ['equipment', 'sslserver', true],
    ['equipment', 'smimesign', false],
    ['tsa', 'timestampsign', true],
    ['tsa', 'smimesign', false],
  ])('%s may serve for %s: %s', async (label, purpose, verdict) => {
    expect((await verify(pki.certificate(label), '-purpose', purpose)).ok).toBe(verdict)
  })
})

describe('what a certificate says', () => {
  const textOf = async (label: string): Promise<string> =>
    (await openssl(['x509', '-noout', '-text'], { input: pki.certificate(label).x509.toString() })).text

  test('a holder: usage, policy, two lists, issuer certificates before OCSP', async () => {
    const text = await textOf('ana-souza')
    expect(text).toMatch(/Key Usage: critical\n\s+Digital Signature, Non Repudiation, Key Encipherment\n/)
    expect(text).toMatch(/Extended Key Usage: \n\s+TLS Web Client Authentication, E-mail Protection\n/)
    expect(text).toMatch(/Policy: 2\.16\.76\.1\.2\.1\.9999\n\s+CPS: http:\/\/localhost:8087\/cps\.txt/)
    expect(text.match(/URI:\S+/g)).toEqual([
      'URI:http://localhost:8087/crl/level-2.crl',
      'URI:http://localhost:8087/crl-mirror/level-2.crl',
      'URI:http://localhost:8087/aia/level-2.p7b',
      'URI:http://localhost:8087/aia/level-2.crt',
      'URI:http://localhost:8087/ocsp',
    ])
  })

  test('the authority key identifier is the SHA-1 of the issuing key', async () => {
    const issuer = await openssl(['x509', '-noout', '-pubkey'], { input: pki.certificate('level-2').x509.toString() })
    const rsaKey = await openssl(['rsa', '-pubin', '-RSAPublicKey_out', '-outform', 'DER'], { input: issuer.stdout })
    const digest = await openssl(['dgst', '-sha1', '-r'], { input: rsaKey.stdout })
    const identifier = /Authority Key Identifier: \n\s+([0-9A-F:]+)/.exec(await textOf('ana-souza'))?.[1]
    expect(identifier?.replaceAll(':', '').toLowerCase()).toBe(digest.text.slice(0, 40))
  })

  test.each([
    ['root', /CA:TRUE\n/],
    ['level-1', /CA:TRUE, pathlen:1\n/],
    ['level-2', /CA:TRUE, pathlen:0\n/],
  ])('%s is an authority with a path length of its level', async (label, constraint) => {
    const text = await textOf(label)
    expect(text).toMatch(/Basic Constraints: critical/)
    expect(text).toMatch(constraint)
    expect(text).toMatch(/Key Usage: critical\n\s+Certificate Sign, CRL Sign\n/)
  })

  test('the chain is root, level 1, level 2, holder', () => {
    const chain = pki.chainOf(pki.certificate('ana-souza'))
    expect(chain.map(({ label }) => label)).toEqual(['ana-souza', 'level-2', 'level-1', 'root'])
  })

  test('a time-stamping certificate has that purpose alone, critical', async () => {
    expect(await textOf('tsa')).toMatch(/Extended Key Usage: critical\n\s+Time Stamping\n/)
  })

  test('an OCSP signer need not be checked by OCSP', async () => {
    const text = await textOf('ocsp-level-2')
    expect(text).toMatch(/Extended Key Usage: \n\s+OCSP Signing\n/)
    expect(text).toContain('OCSP No Check')
  })

  test.each([
    ['root', 'sha512WithRSAEncryption', '4096 bit'],
    ['ana-souza', 'sha512WithRSAEncryption', '2048 bit'],
    ['carla-nogueira', 'sha512WithRSAEncryption', '4096 bit'],
    ['davi-moreira', 'sha512WithRSAEncryption', 'NIST CURVE: P-256'],
    ['bulky-good', 'ecdsa-with-SHA384', 'NIST CURVE: P-256'],
    ['under-unknown-root', 'sha256WithRSAEncryption', '2048 bit'],
  ])('%s is signed with %s and holds a key of %s', async (label, algorithm, key) => {
    const text = await textOf(label)
    expect(text).toContain(`Signature Algorithm: ${algorithm}`)
    expect(text).toContain(key)
  })

  test('an elliptic-curve holder agrees on keys instead of deciphering them', async () => {
    expect(await textOf('davi-moreira')).toMatch(/Digital Signature, Non Repudiation, Key Agreement\n/)
  })

  test('serial numbers are positive, sixteen bytes long and never the same', () => {
    const serials = pki.certificates().map(({ x509 }) => x509.serialNumber)
    expect(serials.every((serial) => /^[4-7][0-9A-F]{31}$/.test(serial))).toBe(true)
    expect(new Set(serials).size).toBe(serials.length)
  })
})

describe('certificates issued on request', () => {
  test('a person, a company and a machine get certificates that verify', async () => {
    const person = await pki.issuePerson({ name: 'Maria da Silva', cpf: '52998224725' }, { key: 'P-256' })
    const company = await pki.issueCompany(
      { name: 'Oficina Sol', cnpj: '11222333000181' },
      { key: 'P-256', policy: 'SE-S' },
    )
    const machine = await pki.issueEquipment(
      { name: 'sol.example', company: { kind: 'company', name: 'Oficina Sol', cnpj: '11222333000181' } },
      { key: 'P-256' },
    )
    for (const certificate of [person, company, machine]) expect((await verify(certificate)).ok).toBe(true)
  })

  test('two people of one name get two certificates', async () => {
    const terms = { key: 'P-256' } as const
    const twins = await Promise.all([1, 2].map(() => pki.issuePerson({ name: 'José Lima' }, terms)))
    expect(twins.map(({ label }) => label)).toEqual(['jose-lima', 'jose-lima-2'])
    expect(pki.certificate('jose-lima').x509.serialNumber).not.toBe(pki.certificate('jose-lima-2').x509.serialNumber)
  })

  test('a name without a single Latin letter still gets a label', async () => {
    expect((await pki.issuePerson({ name: '山田' }, { key: 'P-256' })).label).toBe('holder')
  })

  test('a label nobody has is an error that names it', () => {
    expect(() => pki.certificate('nobody')).toThrow("'nobody'")
  })
})
