import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import fc from 'fast-check'
import { XmlC14NMode, XmlDocument } from 'libxml2-wasm'
import { describe, expect, test } from 'vitest'
import { digestByOid } from '../crypto/algorithms.ts'
import { fingerprint } from '../crypto/digest.ts'
import { readDer } from '../der/der-value.ts'
import { generalizedTime, ia5String, octetString, oid, sequence } from '../der/der-writer.ts'
import { EngineError } from '../errors/engine-error.ts'
import { Certificate } from '../x509/certificate.ts'
import { readCertificates } from '../x509/certificate-files.ts'
import {
  PolicyCatalogue,
  policyByOid,
  policyReport,
  policyTitle,
  readLpa,
  type SigningPolicy,
  selectPolicy,
  signingPolicies,
} from './index.ts'

const published = new URL('../../../../../shared/icp-brasil/', import.meta.url)
const atHand = existsSync(published)
const artefact = (name: string) => readFileSync(new URL(`policies/${name}`, published))
const fileOf = ({ uri }: SigningPolicy) => artefact(uri.slice(uri.lastIndexOf('/') + 1))
const NAMESPACES = { pa: 'http://www.iti.gov.br/PA#' }

const autumn2026 = new Date('2026-11-15T12:00:00Z')

describe('the table of policies', () => {
  test('has 100 versions of 14 forms, none twice', () => {
    expect(signingPolicies).toHaveLength(100)
    expect(signingPolicies).toHaveLength(new Set(signingPolicies.map(({ oid }) => oid)).size)
    expect(new Set(signingPolicies.map(({ format, name }) => `${format} ${name}`)).size).toBe(14)
  })

  describe.runIf(atHand)('held against the published artefacts', () => {
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
})

describe('the version to sign under', () => {
  test.runIf(atHand)('follows the root that was reached, the format and the time', () => {
    const roots = readCertificates(readFileSync(new URL('roots.pem', published)))
    const version = (format: 'CAdES' | 'XAdES' | 'PAdES', name: 'AD-RB' | 'AD-RA', generation: string, at: string) => {
      const root = roots.find(({ subject }) => subject.commonName?.endsWith(` ${generation}`))
      return selectPolicy({ format, name, root, now: new Date(at) }).version
    }
    expect(version('CAdES', 'AD-RB', 'v12', '2026-11-15')).toBe('2.4')
    expect(version('CAdES', 'AD-RA', 'v12', '2026-11-15')).toBe('2.5')
    expect(version('XAdES', 'AD-RB', 'v12', '2026-11-15')).toBe('2.5')
    expect(version('PAdES', 'AD-RB', 'v12', '2026-11-15')).toBe('1.3')
    expect(version('PAdES', 'AD-RA', 'v12', '2026-11-15')).toBe('1.4')
    expect(version('CAdES', 'AD-RB', 'v5', '2026-11-15')).toBe('2.4')
    expect(version('CAdES', 'AD-RB', 'v5', '2024-01-01')).toBe('2.3')
    expect(version('CAdES', 'AD-RB', 'v2', '2022-01-01')).toBe('2.3')
    expect(refusal(() => version('CAdES', 'AD-RB', 'v1', '2026-11-15'))).toBe('policy.no-version')
    expect(refusal(() => version('CAdES', 'AD-RB', 'v12', '2024-11-15'))).toBe('policy.no-version')
  })

  test('is the newest for a root outside ICP-Brasil, and never a defective one', async () => {
    const pki = await createDemoPki({ keys: cachedKeys(), clock: () => autumn2026, baseUrl: 'http://localhost' })
    const root = Certificate.read(pki.authorities()[0]!.der)
    expect(selectPolicy({ format: 'CAdES', name: 'AD-RT', root, now: autumn2026 }).version).toBe('2.4')
    // Between the defective artefact and its re-issue the older, sound one is used.
    const summer2025 = new Date('2025-07-01')
    expect(selectPolicy({ format: 'PAdES', name: 'AD-RB', root, now: summer2025 }).version).toBe('1.1')
    const everyDay = signingPolicies.map(({ notBefore }) => new Date(notBefore.getTime() + 1))
    const chosen = everyDay.flatMap((now) => attempt(() => selectPolicy({ format: 'PAdES', name: 'AD-RC', now })))
    expect(chosen.every(({ defect }) => defect === null)).toBe(true)
  })

  test('exists for no AD-RV of PAdES', () => {
    const select = () => selectPolicy({ format: 'PAdES', name: 'AD-RV', now: autumn2026 })
    expect(refusal(select)).toBe('policy.no-such-form')
  })

  test('is refused outside every signing period', () => {
    const select = (now: Date) => () => selectPolicy({ format: 'CAdES', name: 'AD-RB', now })
    expect(refusal(select(new Date('2007-01-01')))).toBe('policy.no-version')
    expect(refusal(select(new Date('2038-01-01')))).toBe('policy.no-version')
  })
})

describe('the policy a signature names', () => {
  const current = selectPolicy({ format: 'CAdES', name: 'AD-RB', now: autumn2026 })
  const claim = { oid: current.oid, uri: null, signedAt: autumn2026 }
  const rightHash = { digest: 'sha256', value: current.hash } as const

  test('is reported by name, with its digest checked and its period', () => {
    const { report, findings } = policyReport({ ...claim, hash: rightHash })
    expect(report).toEqual({
      oid: '2.16.76.1.7.1.1.2.4',
      name: 'AD-RB 2.4 (CAdES)',
      uri: 'http://politicas.icpbrasil.gov.br/PA_AD_RB_v2_4.der',
      hashMatches: true,
      status: 'current',
    })
    expect(findings).toEqual([])
  })

  test('does not match with the digest of the file, nor with one attributed to another algorithm', () => {
    for (const hash of [
      { digest: 'sha256', value: current.fileHash },
      { digest: 'sha512', value: current.hash },
    ] as const) {
      const { report, findings } = policyReport({ ...claim, hash })
      expect(report.hashMatches).toBe(false)
      expect(codes(findings)).toEqual(['policy-hash-mismatch'])
    }
  })

  test('is expired or revoked by the time of the signature', () => {
    const statusOf = (oid: string, time: string) => {
      const { report, findings } = policyReport({ oid, hash: null, uri: null, signedAt: new Date(time) })
      return [report.status, ...codes(findings)]
    }
    expect(statusOf('2.16.76.1.7.1.1.2.3', '2028-01-01')).toEqual(['current'])
    expect(statusOf('2.16.76.1.7.1.1.2.3', '2030-01-01')).toEqual(['expired', 'policy-not-in-force'])
    expect(statusOf('2.16.76.1.7.1.1.2.1', '2016-01-01')).toEqual(['current'])
    expect(statusOf('2.16.76.1.7.1.1.2.1', '2018-01-01')).toEqual(['revoked', 'policy-not-in-force'])
  })

  test('has a name even when it is newer than this engine, and none outside ICP-Brasil', () => {
    expect(policyTitle('2.16.76.1.7.1.11.1.9')).toBe('AD-RB 1.9 (PAdES)')
    expect(policyTitle('1.2.3.4')).toBeNull()
    const { report, findings } = policyReport({ ...claim, oid: '1.2.3.4', hash: rightHash })
    expect([report.status, report.hashMatches, ...codes(findings)]).toEqual(['unknown', null, 'policy-unknown'])
  })
})

describe('a list of approved policies', () => {
  const listed = (
    oidOf: string,
    { revoked = false, hash = Buffer.alloc(32, 7) }: { revoked?: boolean; hash?: Buffer } = {},
  ) =>
    sequence(
      sequence(generalizedTime(new Date('2025-01-01')), generalizedTime(new Date('2037-01-01'))),
      ...(revoked ? [generalizedTime(new Date('2026-06-01'))] : []),
      oid(oidOf),
      ia5String('http://politicas.icpbrasil.gov.br/PA.der'),
      sequence(sequence(oid('2.16.840.1.101.3.4.2.1')), octetString(hash)),
    )
  const list = (nextUpdate: string, ...policies: Buffer[]) =>
    readLpa(sequence(sequence(...policies), generalizedTime(new Date(nextUpdate))))
  const current = selectPolicy({ format: 'CAdES', name: 'AD-RB', now: autumn2026 })
  const claim = { oid: current.oid, hash: null, uri: null, signedAt: autumn2026, now: autumn2026 }

  test('revokes a policy that the table still has in force', () => {
    const policies = new PolicyCatalogue([
      list('2027-01-01', listed(current.oid, { revoked: true, hash: current.fileHash })),
    ])
    const { report, findings } = policyReport({ ...claim, policies })
    expect([report.status, ...codes(findings)]).toEqual(['revoked', 'policy-not-in-force'])
    const before = policyReport({ ...claim, signedAt: new Date('2026-05-01'), policies })
    expect(before.report.status).toBe('current')
  })

  test('makes a policy known that is newer than the table', () => {
    const policies = new PolicyCatalogue([list('2027-01-01', listed('2.16.76.1.7.1.1.2.9'))])
    const { report, findings } = policyReport({ ...claim, oid: '2.16.76.1.7.1.1.2.9', policies })
    expect([report.name, report.status, findings]).toEqual(['AD-RB 2.9 (CAdES)', 'current', []])
  })

  test('that is past its next update only warns', () => {
    const policies = new PolicyCatalogue([list('2026-01-01')])
    const { report, findings } = policyReport({ ...claim, policies })
    expect([report.status, ...codes(findings)]).toEqual(['current', 'policy-list-stale'])
    expect(findings[0]!.severity).toBe('warning')
  })

  test('with another digest of the artefact is told', () => {
    const policies = new PolicyCatalogue([list('2027-01-01', listed(current.oid))])
    expect(codes(policyReport({ ...claim, policies }).findings)).toEqual(['policy-hash-mismatch'])
  })

  test('of two, the newer one counts', () => {
    const older = list('2026-12-01', listed(current.oid, { revoked: true, hash: current.fileHash }))
    const newer = list('2027-03-01', listed(current.oid, { hash: current.fileHash }))
    const { report } = policyReport({ ...claim, policies: new PolicyCatalogue([newer, older]) })
    expect(report.status).toBe('current')
  })

  test.runIf(atHand)('is read in both forms and generations; version 1 is refused', () => {
    const sizes = ['LPAv2.der', 'LPA_CAdES.der', 'LPA_PAdES.der', 'LPAv2.xml', 'LPA_XAdES.xml'].map((name) => {
      const { policies, nextUpdate } = readLpa(artefact(name))
      return [nextUpdate.toISOString().slice(0, 10), policies.length > 10]
    })
    expect(sizes.map(([, many]) => many)).toEqual([true, true, true, true, true])
    expect(sizes.map(([date]) => date)).toEqual(['2017-02-26', '2025-09-10', '2025-09-10', '2017-02-26', '2025-09-10'])
    for (const old of ['LPA.der', 'LPA.xml'])
      expect(refusal(() => readLpa(artefact(old)))).toBe('policy.list-unreadable')
  })

  test('is refused by name when it is anything else', () => {
    expect(refusal(() => readLpa(Buffer.alloc(5 * 1024 * 1024)))).toBe('policy.list-too-large')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (noise) => {
        for (const bytes of [
          noise,
          sequence(Buffer.from(noise)),
          Buffer.from(`<a>${Buffer.from(noise).toString('latin1')}</a>`),
        ])
          expect(refusal(() => readLpa(bytes))).toBe('policy.list-unreadable')
      }),
      { numRuns: 300 },
    )
  })
})

const codes = (findings: readonly { code: string }[]) => findings.map(({ code }) => code)

function refusal(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    if (error instanceof EngineError) return error.code
    throw error
  }
  return 'nothing was refused'
}

function attempt<Value>(act: () => Value): Value[] {
  try {
    return [act()]
  } catch (error) {
    if (error instanceof EngineError) return []
    throw error
  }
}

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
