// DSA keys that leave their parameters to their issuer's (RFC 5280 §6.1.3, §6.1.4 c to e; RFC 3279 §2.3.2). OpenSSL 3 has
// no path for them; it judges the keys that the engine makes of them.
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openssl, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { toPem } from '../der/pem.ts'
import { RevocationList } from '../revocation/crl.ts'
import { OcspResponse } from '../revocation/ocsp.ts'
import { craftList, entry } from '../revocation/test-support/crafted-list.ts'
import { craftResponse } from '../revocation/test-support/crafted-response.ts'
import type { Certificate } from '../x509/certificate.ts'
import { keyPurposes } from '../x509/oids.ts'
import { authority, type Crafted, craft, extendedKeyUsage } from '../x509/test-support/crafted-certificate.ts'
import { type DsaKeys, dsaKeys, impostorKey } from '../x509/test-support/dsa-keys.ts'
import { at, reasonsOn, verdictOn } from './test-support/crafted-path.ts'

const bare = (keys: DsaKeys = dsaKeys()) => ({ keys, publicKeyInfo: keys.bare })
const rootKeys = dsaKeys()
const root = craft({ subject: { CN: 'DSA root' }, keys: rootKeys, extensions: authority() })
const otherRoot = craft({ subject: { CN: 'DSA root' }, keys: dsaKeys('second'), extensions: authority() })

/** Whether openssl finds that this certificate's key signed that one. */
async function opensslVerifies({ publicKeyInfo }: Certificate, { tbs, signature }: Certificate): Promise<boolean> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'key.pem'), toPem('PUBLIC KEY', publicKeyInfo))
  writeFileSync(join(folder, 'signed'), tbs)
  writeFileSync(join(folder, 'signature'), signature)
  return (await openssl(['dgst', '-sha256', '-verify', 'key.pem', '-signature', 'signature', 'signed'], { folder })).ok
}

describe('a key without parameters', () => {
  test.each(['bare', 'withNull'] as const)('has those of its issuer (%s)', async (form) => {
    const keys = dsaKeys()
    const holder = craft({ issuer: root, keys, publicKeyInfo: keys[form] })
    expect(holder.certificate.hasKnownKey).toBe(false)
    const { path, reasons } = await verdictOn(holder, root)
    expect(reasons.map(({ code }) => code)).toEqual(['revocation.unknown'])
    expect(path[0]!.publicKey.equals(keys.publicKey)).toBe(true)
    expect(path[0]!.der).toEqual(holder.certificate.der)
  })

  test('has those of the nearest authority that has any', async () => {
    const upper = craft({ subject: { CN: 'Upper' }, issuer: root, ...bare(), extensions: authority() })
    const own = dsaKeys('second')
    const lower = craft({ subject: { CN: 'Lower' }, issuer: upper, keys: own, extensions: authority() })
    const lowest = craft({
      subject: { CN: 'Lowest' },
      issuer: lower,
      ...bare(dsaKeys('second')),
      extensions: authority(),
    })
    const keys = dsaKeys('second')
    const holder = craft({ issuer: lowest, ...bare(keys) })
    const { path, reasons } = await verdictOn(holder, root, { others: [lowest, lower, upper] })
    expect(new Set(reasons.map(({ code }) => code))).toEqual(new Set(['revocation.unknown']))
    expect(path[0]!.publicKey.equals(keys.publicKey)).toBe(true)
    for (const [height, issuer] of path.slice(1).entries())
      expect(await opensslVerifies(issuer, path[height]!)).toBe(true)
  })

  test('has none where nobody above it has any', async () => {
    const plain = craft({ subject: { CN: 'EC root' }, extensions: authority() })
    const below = craft({ subject: { CN: 'Below' }, issuer: plain, ...bare(), extensions: authority() })
    expect(await reasonsOn(craft({ issuer: plain, ...bare() }), plain)).toEqual(['algorithm.unknown'])
    const holder = craft({ issuer: below })
    expect(await reasonsOn(holder, plain, { others: [below] })).toEqual(['chain.no-path'])
  })

  test('has none where a key of another kind stands between (RFC 5280 §6.1.4 e)', async () => {
    const between = craft({ subject: { CN: 'EC' }, issuer: root, extensions: authority() })
    const holder = craft({ issuer: between, ...bare() })
    expect(await reasonsOn(holder, root, { others: [between] })).toEqual(['algorithm.unknown'])
  })

  test('signs lists of its authority, of which it is another key', async () => {
    const below = craft({ subject: { CN: 'Two keys' }, issuer: root, extensions: authority() })
    const forLists = craft({ subject: { CN: 'Two keys' }, issuer: root, ...bare(), extensions: authority() })
    const lists = [craftList(root), craftList(forLists)]
    const { indication } = await verdictOn(craft({ issuer: below }), root, { others: [below, forLists], lists })
    expect(indication).toBe('valid')
  })

  test('does not ask the certificates of a circle without end', async () => {
    const keys = [dsaKeys(), dsaKeys()]
    const name = (one: number) => ({ CN: `Circle ${one}` })
    const named = [0, 1].map((one) => craft({ subject: name(one), keys: keys[one]!, extensions: authority() }))
    const circle = [0, 1].map((one) => craft({ subject: name(one), issuer: named[1 - one]!, ...bare(keys[one]) }))
    expect(await reasonsOn(craft({ issuer: circle[0]!, ...bare() }), root, { others: circle })).toContain(
      'chain.no-path',
    )
  })
})

describe('two issuers of one name with other parameters', () => {
  test('are not mixed up, whichever comes first', async () => {
    const keys = dsaKeys('second')
    const holder = craft({ issuer: otherRoot, ...bare(keys) })
    for (const others of [[root], [otherRoot, root]]) {
      const { path, reasons } = await verdictOn(holder, otherRoot, { others })
      expect(reasons.map(({ code }) => code)).toEqual(['revocation.unknown'])
      expect(path[0]!.publicKey.equals(keys.publicKey)).toBe(true)
    }
  })

  const stranger = craft({ subject: { CN: 'DSA root' }, extensions: authority() })
  const spare = generateKeyPairSync('ed25519').privateKey
  // Anybody can make a key and parameters under which the signature in a certificate is good.
  const below = craft({ subject: { CN: 'Below' }, issuer: root, ...bare(), extensions: authority() })
  const impostor: Crafted = craft({
    subject: { CN: 'DSA root' },
    keys: {
      publicKey: impostorKey(below.certificate, rootKeys),
      privateKey: generateKeyPairSync('ed25519').privateKey,
    },
    issuer: craft({ subject: { CN: 'DSA root' }, extensions: authority() }),
    extensions: authority(),
  })
  const holder = craft({ issuer: below })
  const lists = [craftList(root), craftList(below)]

  test('give one certificate two keys, and what one signed is not what the other did', async () => {
    expect(impostor.certificate.issued(below.certificate)).toBe(true)
    expect(await opensslVerifies(impostor.certificate, below.certificate)).toBe(true)
    const others = [impostor, below]
    expect((await verdictOn(holder, root, { others, lists })).indication).toBe('valid')
    expect(await reasonsOn(holder, impostor, { others: [below] })).toEqual(['chain.no-path'])
    expect((await verdictOn(holder, root, { others, lists })).indication).toBe('valid')
  })

  test('give one certificate two keys, and the lists that one signed say nothing of the other', async () => {
    const own = craftList(below, { entries: [entry(holder.certificate.serialNumber, new Date('2027-01-01'))] })
    const revoked = await verdictOn(holder, root, { others: [below, impostor], lists: [craftList(root), own] })
    expect(revoked.reasons.map(({ code }) => code)).toEqual(['revocation.revoked'])
    const list = RevocationList.read(own)
    expect(list.isFrom(below.certificate.under(root.certificate))).toBe(true)
    expect(list.isFrom(below.certificate.under(impostor.certificate))).toBe(false)
  })

  test('give a responder two keys, of which one answers for each', async () => {
    const keys = dsaKeys()
    const extensions = [extendedKeyUsage(false, keyPurposes.ocspSigning)]
    const responder = craft({ subject: { CN: 'Responder' }, issuer: root, ...bare(keys), extensions })
    const holder = craft({ issuer: root })
    const response = OcspResponse.read(craftResponse(responder, root.certificate, holder.certificate, at))
    const { status } = await verdictOf(holder, root, response)
    expect(status).toMatchObject({ state: 'good', source: 'ocsp' })
    // The other issuer's parameters make another key of it, with which nobody answered.
    const other = craft({
      subject: { CN: 'DSA root' },
      keys: { publicKey: impostorKey(responder.certificate, rootKeys), privateKey: spare },
      issuer: stranger,
      extensions: authority(),
    })
    expect(other.certificate.issued(responder.certificate)).toBe(true)
    expect(response.signerFor(other.certificate)).toBeUndefined()
    expect(response.signerFor(root.certificate)?.publicKey.equals(keys.publicKey)).toBe(true)
  })
})

async function verdictOf(holder: Crafted, anchor: Crafted, { der }: OcspResponse) {
  const { revocation } = await verdictOn(holder, anchor, { evidence: { crls: [], ocsps: [der] } })
  return { status: revocation[0] }
}
