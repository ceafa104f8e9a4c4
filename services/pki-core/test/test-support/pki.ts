// One PKI and one clock for the tests, reset for every file, and people who sign with the keys of its certificates.
import { constants, privateEncrypt, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pkiOfFiles } from '@chancela/testkit/test-files'

export const running = await pkiOfFiles('2026-11-16T12:00:00.000Z')
export const { clock } = running

const folder = mkdtempSync(join(tmpdir(), 'chancela-core-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** PEM file with the roots of the PKI. */
export const roots = join(folder, 'roots.pem')
writeFileSync(roots, running.pki.trustAnchors())

export const certificateOf = (label: string): string => running.pki.certificate(label).der.toString('base64')

/** Signs bytes with SHA-256 and the key of a holder, as a token or a browser does. */
export const signedBy = (label: string, data: string): string =>
  sign('sha256', Buffer.from(data, 'base64'), running.pki.certificate(label).key.privateKey).toString('base64')

/** DigestInfo of SHA-256 (RFC 8017 §9.2), which RSA keys sign with the hash behind it. */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/** Signs a hash with the RSA key of a holder: the component in the browser gets nothing else. */
export const signedHash = (label: string, hash: string): string =>
  privateEncrypt(
    { key: running.pki.certificate(label).key.privateKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.concat([DIGEST_INFO, Buffer.from(hash, 'base64')]),
  ).toString('base64')
