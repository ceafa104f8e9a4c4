import { cachedKeys, createDemoPki } from '@chancela/testkit/demo-pki'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { generalizedTime, ia5String, octetString, oid, sequence } from '../der/der-writer.ts'
import { EngineError } from '../errors/engine-error.ts'
import { Certificate } from '../x509/certificate.ts'
import { PolicyCatalogue, policyReport, policyTitle, readLpa, selectPolicy, signingPolicies } from './index.ts'
import { policyRoots } from './policy-table.ts'

const autumn2026 = new Date('2026-11-15T12:00:00Z')

describe('the table of policies', () => {
  test('has 100 versions of 14 forms, none twice', () => {
    expect(signingPolicies).toHaveLength(100)
    expect(signingPolicies).toHaveLength(new Set(signingPolicies.map(({ oid }) => oid)).size)
    expect(new Set(signingPolicies.map(({ format, name }) => `${format} ${name}`)).size).toBe(14)
  })
})

describe('the version to sign under', () => {
  test('follows the root that was reached, the format and the time', () => {
    const version = (
      format: 'CAdES' | 'XAdES' | 'PAdES',
      name: 'AD-RB' | 'AD-RA',
      generation: keyof typeof policyRoots,
      at: string,
    ) => {
      const root = { fingerprint: policyRoots[generation], subject: { commonName: `Raiz ${generation}` } }
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

  test('is read in XML as in DER, whichever names its digest has', () => {
    const digest = (prefix: string) =>
      `<${prefix}DigestMethod Algorithm="http://www.w3.org/2001/04/xmlenc#sha256"/>` +
      `<${prefix}DigestValue>${current.fileHash.toString('base64')}</${prefix}DigestValue>`
    const xml = (inner: string) =>
      Buffer.from(`<l:ApprovedSignaturePoliciesList xmlns:l="http://www.iti.gov.br/LPA/v2#"
        xmlns:x="http://uri.etsi.org/01903/v1.3.2#" xmlns:d="http://www.w3.org/2000/09/xmldsig#">
        <l:PolicyInfo>
          <l:SigningPeriod><l:NotBefore>2025-01-01T00:00:00Z</l:NotBefore><l:NotAfter>2037-01-01T00:00:00Z</l:NotAfter></l:SigningPeriod>
          <l:RevocationDate>2026-06-01T00:00:00Z</l:RevocationDate>
          <l:PolicyIdentifier><x:Identifier>urn:oid:${current.oid}</x:Identifier></l:PolicyIdentifier>
          <l:PolicyURI>http://politicas.icpbrasil.gov.br/PA.der</l:PolicyURI>
          <l:PolicyDigest>${inner}</l:PolicyDigest>
        </l:PolicyInfo>
        <l:NextUpdate>2027-01-01T00:00:00Z</l:NextUpdate>
      </l:ApprovedSignaturePoliciesList>`)
    const inDer = list('2027-01-01', listed(current.oid, { revoked: true, hash: current.fileHash }))
    for (const names of ['d:', 'l:']) expect(readLpa(xml(digest(names)))).toEqual(inDer)
    expect(refusal(() => readLpa(xml('')))).toBe('policy.list-unreadable')
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
