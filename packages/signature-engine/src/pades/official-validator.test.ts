// What people complain about when ICP-Brasil's validator does not approve a PDF (signature-engine facts 3.1), read by
// openssl and qpdf from what the engine signs at every level.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modificationRules, openssl, temporaryFolder, WANTED_REFERENCE } from '@chancela/testkit/tools'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tablePdf } from '../pdf/test-support/sample-pdfs.ts'
import type { PadesLevel } from './levels.ts'
import { signedParts } from './test-support/signed-parts.ts'
import { openSigningRoom, type SigningRoom } from './test-support/signing-room.ts'

let room: SigningRoom
beforeAll(async () => {
  room = await openSigningRoom()
})
afterAll(() => room.stop())

/** Versions in force: those before them mandate names that end with a space, or lack the newest root. */
const policies: Partial<Record<PadesLevel, string>> = {
  'AD-RB': '2.16.76.1.7.1.11.1.3',
  'AD-RT': '2.16.76.1.7.1.12.1.3',
  'AD-RC': '2.16.76.1.7.1.13.1.4',
  'AD-RA': '2.16.76.1.7.1.14.1.4',
}

/** The CMS of a signature, as openssl tells it. */
async function told(cms: Buffer): Promise<string> {
  const path = join(temporaryFolder(), 'signature.der')
  writeFileSync(path, cms)
  const { ok, text } = await openssl(['cms', '-cmsout', '-print', '-inform', 'DER', '-in', path])
  expect(ok).toBe(true)
  return text
}

const LEVELS: readonly PadesLevel[] = ['B-B', 'B-T', 'B-LT', 'B-LTA', 'AD-RB', 'AD-RT', 'AD-RC', 'AD-RA']
describe.each(LEVELS)('a PDF signed at the level %s', (level) => {
  let signed: Buffer
  let cms: string
  beforeAll(async () => {
    signed = await room.sign(tablePdf(), { level })
    cms = await told(signedParts(signed).find(({ kind }) => kind === 'signature')!.cms)
  })

  test('says what may be changed, on its first signature only, and not in the catalog', async () => {
    const twice = await room.sign(signed, { level })
    expect(await modificationRules(twice)).toEqual({ permissions: undefined, references: [WANTED_REFERENCE, null] })
  })

  test('has no signing time among the signed attributes, where PAdES and its policies forbid it', () => {
    expect(signedAttributes(cms)).toContain('id-smime-aa-signingCertificateV2')
    expect(signedAttributes(cms)).not.toContain('signingTime')
  })

  test('names the signer’s certificate with its issuer and serial number', () => {
    const { issuer, serialNumberHex } = room.signer.certificate
    const attribute = signedAttributes(cms).split('id-smime-aa-signingCertificateV2')[1]!
    expect(attribute).toMatch(new RegExp(`INTEGER\\s*:${serialNumberHex.replace(/^0+/, '')}\\b`, 'i'))
    expect(attribute).toContain(`:${issuer.commonName}`)
  })

  test('leaves its content outside the CMS', () => {
    expect(cms).toMatch(/eContentType: pkcs7-data[^\n]*\n\s*eContent: <ABSENT>/)
  })

  test('carries the newest policy of its level, and none where none was asked for', async () => {
    const [first] = (await room.validate(signed)).signatures
    expect(first!.policy?.oid).toBe(policies[level])
    expect(first!.indication).toBe('valid')
  })
})

/** The text about the signed attributes of the signature, without those of a timestamp. */
const signedAttributes = (cms: string): string => cms.split(/signedAttrs:/)[1]!.split(/signatureAlgorithm:/)[0]!
