// One PKI and one clock for the tests, reset for every file, and those who sign with the keys of its certificates.
import { constants, privateEncrypt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addresses, type IssuedCertificate } from '@chancela/testkit/demo-pki'
import type { SettingsFile } from '@chancela/testkit/service-world'
import { pkiOfFiles } from '@chancela/testkit/test-files'

export const running = await pkiOfFiles('2026-03-02T12:00:00.000Z')
export const { clock, pki } = running

const folder = mkdtempSync(join(tmpdir(), 'chancela-credentials-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** PEM file with the roots of the PKI. */
const roots = join(folder, 'roots.pem')
writeFileSync(roots, pki.trustAnchors())

export const signingSettings: SettingsFile = {
  Signing: {
    TrustAnchorsFile: roots,
    AuthorityHosts: ['127.0.0.1/32'],
    TimestampAuthority: addresses(running.baseUrl).timeStamps,
  },
}

/** The CNPJ of the institutions of the samples. */
export const CNPJ = '11444777000161'

const responsible = { kind: 'person', name: 'Bruno Carvalho Lima', cpf: '11144477735', born: '1970-01-31' } as const

/** An e-CNPJ. */
export const issueInstitution = (cnpj = CNPJ): Promise<IssuedCertificate> =>
  pki.issueCompany(
    { name: 'Universidade Santa Clara', cnpj, responsible, email: 'reitoria@example.com' },
    { policy: 'A3' },
  )

const PASSWORD = 'senha do arquivo'

/** What the endpoint of an institution's certificate takes. */
export const fileOf = (issued: IssuedCertificate, password = PASSWORD) => ({
  content: pki.pkcs12(issued, { password: PASSWORD, iterations: 1000 }).toString('base64'),
  password,
})

/** DigestInfo of SHA-256 (RFC 8017 §9.2), which RSA keys sign with the hash behind it. */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/** Signs a hash as a token does. */
export const signedHash = ({ key }: IssuedCertificate, hash: string): string =>
  privateEncrypt(
    { key: key.privateKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.concat([DIGEST_INFO, Buffer.from(hash, 'base64')]),
  ).toString('base64')
