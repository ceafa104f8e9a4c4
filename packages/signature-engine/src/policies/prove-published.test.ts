// What ICP-Brasil has published, held against what the engine knows of it. The files are not part of this repository:
// `npm run prove:published` says where they are looked for.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { XmlC14NMode, XmlDocument } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import { digestByOid } from '../crypto/algorithms.ts'
import { fingerprint } from '../crypto/digest.ts'
import { readDer } from '../der/der-value.ts'
import { readCertificates } from '../x509/certificate-files.ts'
import { policyByOid, policyTitle, readLpa, type SigningPolicy, signingPolicies } from './index.ts'

const published = new URL('../../../../../shared/icp-brasil/', import.meta.url)
const artefact = (name: string) => readFileSync(new URL(`policies/${name}`, published))
const fileOf = ({ uri }: SigningPolicy) => artefact(uri.slice(uri.lastIndexOf('/') + 1))
const NAMESPACES = { pa: 'http://www.iti.gov.br/PA#' }

describe('the table of policies, held against the published artefacts', () => {
  test.each(signingPolicies.map((policy) => [policyTitle(policy.oid)!, policy] as const))('%s', (_, policy) => {
    const file = fileOf(policy)
    expect(createHash('sha256').update(file).digest('hex')).toBe(policy.fileHash.toString('hex'))
    const facts = policy.format === 'XAdES' ? xmlFacts(file) : derFacts(file)
    expect(facts.oid).toBe(policy.oid)
    expect(facts.period).toEqual([policy.notBefore, policy.notAfter])
    expect(facts.stored).toBe(policy.hash.toString('hex'))
    // The XML artefacts before 2.3 contain digests of an earlier text of theirs; signatures use them anyway.
    if (policy.format !== 'XAdES' || policy.version >= '2.3') expect(facts.computed).toBe(policy.hash.toString('hex'))
    expect(new Set(facts.roots)).toEqual(new Set(policy.roots))
  })

  test('every artefact is in the table', () => {
    const files = readdirSync(new URL('policies/', published)).filter((name) => name.startsWith('PA_'))
    expect(new Set(signingPolicies.map(({ uri }) => uri.slice(uri.lastIndexOf('/') + 1)))).toEqual(new Set(files))
  })

  test('the lists agree with the table on addresses, files and revocations', () => {
    const listed = ['LPA_CAdES.der', 'LPA_PAdES.der', 'LPA_XAdES.xml'].flatMap(
      (name) => readLpa(artefact(name)).policies,
    )
    for (const policy of listed) {
      expect(policyByOid(policy.oid)?.uri).toBe(policy.uri)
      expect(policyByOid(policy.oid)?.fileHash.equals(policy.fileHash.value)).toBe(true)
      expect(policyByOid(policy.oid)?.revokedAt).toEqual(policy.revokedAt)
    }
  })
})

test('published lists are read in both forms and generations; version 1 is refused', () => {
  const sizes = ['LPAv2.der', 'LPA_CAdES.der', 'LPA_PAdES.der', 'LPAv2.xml', 'LPA_XAdES.xml'].map((name) => {
    const { policies, nextUpdate } = readLpa(artefact(name))
    return [nextUpdate.toISOString().slice(0, 10), policies.length > 10]
  })
  expect(sizes.map(([, many]) => many)).toEqual([true, true, true, true, true])
  expect(sizes.map(([date]) => date)).toEqual(['2017-02-26', '2025-09-10', '2025-09-10', '2017-02-26', '2025-09-10'])
  const unreadable = expect.objectContaining({ code: 'policy.list-unreadable' })
  for (const old of ['LPA.der', 'LPA.xml']) expect(() => readLpa(artefact(old))).toThrow(unreadable)
})

// SignaturePolicy ::= SEQUENCE { signPolicyHashAlg, signPolicyInfo, signPolicyHash }
function derFacts(file: Buffer) {
  const [algorithm, info, stored] = readDer(file).sequence().rest()
  const digest = digestByOid(algorithm!.sequence().next().oid())!
  const fields = info!.members()
  const [period, rules] = fields[4]!.members()
  const signerTrust = rules!.members().find(({ tag }) => tag === 0xa1)!
  const trustTrees = signerTrust.unwrap().members()[0]!
  return {
    oid: fields[0]!.oid(),
    period: period!.members().map((time) => time.time()),
    stored: stored!.octets().toString('hex'),
    computed: createHash(digest).update(algorithm!.raw).update(info!.raw).digest('hex'),
    roots: trustTrees.members().map((point) => fingerprint(point.members()[0]!.raw)),
  }
}

function xmlFacts(file: Buffer) {
  using policy = XmlDocument.fromBuffer(file)
  const text = (path: string) => policy.get(path, NAMESPACES)!.content
  const stored = Buffer.from(text('//pa:SignPolicyDigest'), 'base64')
  const info = policy.get('//pa:SignPolicyInfo', NAMESPACES)!
  const canonical = info.canonicalizeToString({ mode: XmlC14NMode.XML_C14N_EXCLUSIVE_1_0, withComments: true })
  const roots = policy.find('//pa:SigningCertTrustCondition//pa:X509Certificate', NAMESPACES)
  return {
    oid: text('//pa:SignPolicyIdentifier/*').trim().replace('urn:oid:', ''),
    period: ['NotBefore', 'NotAfter'].map((name) => new Date(text(`//pa:SigningPeriod/pa:${name}`))),
    stored: stored.toString('hex'),
    computed: createHash(stored.length === 20 ? 'sha1' : 'sha256')
      .update(canonical)
      .digest('hex'),
    roots: roots.map(({ content }) => readCertificates(Buffer.from(content, 'base64'))[0]!.fingerprint),
  }
}
