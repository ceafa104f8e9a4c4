// People with certificates of the demo PKI, who sign hashes as clients do: the key never reaches the service.
import { constants, privateEncrypt } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { holders } from '@chancela/testkit/demo-pki'
import { pkiOfFiles } from '@chancela/testkit/test-files'
import { openssl, runTool } from '@chancela/testkit/tools'
import { expect } from 'vitest'
import { type PlatformWorld, ticketOf } from './platform-world.ts'

/** One PKI for all tests, reset for every file. */
export const running = await pkiOfFiles('2026-11-15T12:00:00.000Z')

/** One clock for the PKI and the service. */
export const { clock } = running
const folder = mkdtempSync(join(tmpdir(), 'chancela-signers-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** PEM file of the roots of the PKI. */
export const roots = join(folder, 'roots.pem')
writeFileSync(roots, running.pki.trustAnchors())

/** Settings of a service that trusts the PKI; `over` overrides settings of `Signing`. */
export const trusting = (over: Readonly<Record<string, unknown>> = {}) => ({
  Signing: { TrustAnchorsFile: roots, AuthorityHosts: ['127.0.0.1/32'], ...over },
})

/** A holder of the PKI in the form flows use. */
export function holder(label: string) {
  const { holder: declared } = holders[label]!
  if (declared.kind !== 'person') throw new TypeError(`${label} is no person.`)
  return { name: declared.name, identifier: declared.cpf!, email: declared.email ?? `${label}@example.com` }
}

export const certificateOf = (label: string): string => running.pki.certificate(label).der.toString('base64')

/** DigestInfo of SHA-256 (RFC 8017 §9.2), which RSA keys sign with the hash behind it. */
const DIGEST_INFO = Buffer.from('3031300d060960864801650304020105000420', 'hex')

/** Signs a hash with the key of a holder, as a token or a browser does. */
export async function signHash(label: string, hash: string): Promise<string> {
  const { privateKey } = running.pki.certificate(label).key
  const bytes = Buffer.from(hash, 'base64')
  if (privateKey.asymmetricKeyType === 'rsa') {
    const padded = { key: privateKey, padding: constants.RSA_PKCS1_PADDING }
    return privateEncrypt(padded, Buffer.concat([DIGEST_INFO, bytes])).toString('base64')
  }
  const key = join(folder, `${label}.pem`)
  writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const { stdout } = await openssl(['pkeyutl', '-sign', '-inkey', key], { input: bytes })
  return stdout.toString('base64')
}

interface Signed {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape.
  readonly body: any
}

type Json = Pick<PlatformWorld, 'json'>

/** Begins a signature with key and ticket. */
export const start = (
  { json }: Json,
  { key, ticket }: { readonly key: string; readonly ticket: string },
  label: string,
  over: object = {},
): Promise<Signed> =>
  json('POST', `/api/documents/keys/${key}/signature/certificate`, {
    ticket,
    certificate: certificateOf(label),
    ...over,
  })

/** Completes a signature that was begun. */
export const complete = (
  { json }: Json,
  key: string,
  token: string,
  signature: string,
  over: object = {},
): Promise<Signed> => json('POST', `/api/documents/keys/${key}/signature`, { token, signature, ...over })

/** Signs as a participant from beginning to end. */
export async function signAs(world: Json, documentId: string, label: string, over: object = {}): Promise<Signed> {
  const action = await ticketOf(world, documentId, holder(label).identifier)
  const begun = await start(world, action, label, over)
  if (begun.status !== 200 || !begun.body.success) return begun
  return complete(world, action.key, begun.body.token, await signHash(label, begun.body.toSignHash))
}

/** The bytes of a document in one form. */
export async function contentOf({ call }: Pick<PlatformWorld, 'call'>, id: string, type = 'Signatures') {
  const answer = await call('GET', `/api/documents/${id}/content?type=${type}`)
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

/** Independent programs that validate signed files; each fails the test unless it accepts every signature. */
export const judges = {
  async pdf(signed: Buffer, signatures: number): Promise<string> {
    const path = join(folder, `${crypto.randomUUID()}.pdf`)
    writeFileSync(path, signed)
    const { text } = await runTool('pdfsig', ['-nocert', path])
    expect(text.match(/Signature Validation: Signature is Valid\./g) ?? []).toHaveLength(signatures)
    expect((await runTool('qpdf', ['--check', path])).ok).toBe(true)
    return text
  },
  async cms(signed: Buffer): Promise<Buffer> {
    const args = ['cms', '-verify', '-inform', 'DER', '-binary', '-CAfile', roots, '-purpose', 'any']
    const { ok, text, stdout } = await openssl(args, { input: signed })
    expect(text).toContain('Verification successful')
    expect(ok).toBe(true)
    return stdout
  },
  async xml(signed: Buffer, signatures: number): Promise<void> {
    const path = join(folder, `${crypto.randomUUID()}.xml`)
    writeFileSync(path, signed)
    for (let at = 1; at <= signatures; at++) {
      const node = `(//*[local-name()='Signature'])[${at}]`
      const args = ['--verify', '--trusted-pem', roots, '--enabled-key-data', 'x509', '--node-xpath', node, path]
      const { text } = await runTool('xmlsec1', args)
      expect(text).toMatch(/^OK$/m)
    }
  },
}
