// Signatures of every algorithm that openssl signs with, judged by us and by it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { validateCades } from '../cades/index.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import type { SignatureReport } from '../report/report.ts'
import { TrustAnchors } from '../trust/trust-anchors.ts'
import { readCertificates } from '../x509/certificate-files.ts'

const content = Buffer.from('Contrato de prestação de serviços\n')
const genpkey = {
  rsa: ['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:2048'],
  pss: ['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048'],
  boundPss: [
    ...['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048', '-pkeyopt', 'rsa_pss_keygen_md:sha384'],
    ...['-pkeyopt', 'rsa_pss_keygen_mgf1_md:sha256', '-pkeyopt', 'rsa_pss_keygen_saltlen:24'],
  ],
}
const ec = (curve: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${curve}`]
const pss = (...options: string[]) => ['rsa_padding_mode:pss', ...options].flatMap((option) => ['-keyopt', option])

interface Case {
  readonly key: readonly string[]
  readonly md: string
  /** Of the certificate, which signs itself. */
  readonly certificateMd?: string
  readonly options?: readonly string[]
  readonly algorithm: string
}

const cases: Readonly<Record<string, Case>> = {
  'RSA with SHA-224': { key: genpkey.rsa, md: 'sha224', algorithm: 'RSA-SHA224' },
  'RSA with SHA-512/256': { key: genpkey.rsa, md: 'sha512-256', algorithm: 'RSA-SHA512-256' },
  'RSA with SHA3-512': { key: genpkey.rsa, md: 'sha3-512', certificateMd: 'sha3-256', algorithm: 'RSA-SHA3-512' },
  'RSA-PSS': { key: genpkey.rsa, md: 'sha256', options: pss('rsa_pss_saltlen:digest'), algorithm: 'RSA-PSS-SHA256' },
  'RSA-PSS with SHA-1 in its mask': {
    key: genpkey.rsa,
    md: 'sha256',
    options: pss('rsa_mgf1_md:sha1', 'rsa_pss_saltlen:20'),
    algorithm: 'RSA-PSS-SHA256-MGF1-SHA1-SALT-20',
  },
  'RSA-PSS with the longest salt': {
    key: genpkey.rsa,
    md: 'sha512',
    options: pss('rsa_pss_saltlen:max'),
    algorithm: 'RSA-PSS-SHA512-MGF1-SHA512-SALT-190',
  },
  'a key for PSS': { key: genpkey.pss, md: 'sha256', options: pss('rsa_pss_saltlen:32'), algorithm: 'RSA-PSS-SHA256' },
  'a key bound to its parameters': {
    key: genpkey.boundPss,
    md: 'sha384',
    certificateMd: 'sha384',
    options: pss('rsa_pss_saltlen:24'),
    algorithm: 'RSA-PSS-SHA384-MGF1-SHA256-SALT-24',
  },
  'P-256 with SHA-224': { key: ec('P-256'), md: 'sha224', algorithm: 'ECDSA-SHA224' },
  'P-384 in a certificate with SHA-512': {
    key: ec('P-384'),
    md: 'sha384',
    certificateMd: 'sha512',
    algorithm: 'ECDSA-SHA384',
  },
  'P-521 with SHA-512': { key: ec('P-521'), md: 'sha512', algorithm: 'ECDSA-SHA512' },
  secp256k1: { key: ec('secp256k1'), md: 'sha256', algorithm: 'ECDSA-SHA256' },
  ...Object.fromEntries(
    ['256r1', '256t1', '320r1', '320t1', '384r1', '384t1', '512r1', '512t1'].map((curve): [string, Case] => [
      `brainpoolP${curve}`,
      { key: ec(`brainpoolP${curve}`), md: 'sha384', algorithm: 'ECDSA-SHA384' },
    ]),
  ),
}

/** A self-signed certificate and the CMS that openssl makes with its key. */
async function signedByOpenssl({ key, md, certificateMd = 'sha256', options = [] }: Case) {
  const folder = temporaryFolder()
  const run = async (...args: readonly string[]) => {
    const { ok, text } = await openssl(args, { folder })
    expect(ok, `${args.join(' ')}: ${text}`).toBe(true)
  }
  writeFileSync(join(folder, 'content'), content)
  await run('genpkey', ...key, '-out', 'key.pem')
  await run(
    'req',
    '-x509',
    '-new',
    '-key',
    'key.pem',
    `-${certificateMd}`,
    '-subj',
    '/CN=Outra',
    '-days',
    '9',
    '-out',
    'c.pem',
  )
  await run(
    ...['cms', '-sign', '-cades', '-binary', '-nodetach', '-in', 'content', '-signer', 'c.pem', '-inkey', 'key.pem'],
    ...['-md', md, ...options, '-outform', 'DER', '-out', 'signed'],
  )
  await run('cms', '-verify', '-binary', '-inform', 'DER', '-in', 'signed', '-CAfile', 'c.pem', '-purpose', 'any')
  return { signed: readFileSync(join(folder, 'signed')), roots: readFileSync(join(folder, 'c.pem')) }
}

async function judged(signed: Uint8Array, roots: Uint8Array): Promise<SignatureReport> {
  const judge = createJudge({ anchors: TrustAnchors.of(readCertificates(roots)) })
  const { signatures } = await validateCades(signed, { judge, now: new Date() })
  return signatures[0]!
}

describe.each(Object.entries(cases))('%s', (_name, one) => {
  test('is as valid for us as for openssl, and altered it is not', async () => {
    const { signed, roots } = await signedByOpenssl(one)
    const report = await judged(signed, roots)
    expect(report.findings.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(report).toMatchObject({ indication: 'valid', algorithm: one.algorithm })
    const altered = Buffer.from(signed)
    altered[altered.length - 9]! ^= 1
    expect((await judged(altered, roots)).indication).toBe('invalid')
  })
})
