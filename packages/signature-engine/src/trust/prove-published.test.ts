// The certificates of ICP-Brasil's authorities, held against the engine. The files are not part of this repository:
// `npm run prove:published` says where they are looked for.
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createJudge } from '../judgement/judge-certificate.ts'
import type { Certificate } from '../x509/certificate.ts'
import { readCertificates } from '../x509/certificate-files.ts'
import { importOfficialRoots } from './import-official-roots.ts'
import { officialRoots } from './official-roots.ts'
import { TrustAnchors } from './trust-anchors.ts'

const folder = new URL('../../../../../shared/icp-brasil/', import.meta.url)
const roots = readFileSync(new URL('roots.pem', folder))
const intermediates = readFileSync(new URL('intermediates.pem', folder))

describe('the certificates ITI published', () => {
  test('are the ones in the table', () => {
    const { accepted, refused } = importOfficialRoots(roots)
    expect(refused).toEqual([])
    const described = (certificate: Certificate) => ({
      name: certificate.subject.commonName,
      fingerprint: certificate.fingerprint,
      notBefore: certificate.notBefore.toISOString().replace('.000', ''),
      notAfter: certificate.notAfter.toISOString().replace('.000', ''),
    })
    const byName = (one: { fingerprint: string }, other: { fingerprint: string }) =>
      one.fingerprint < other.fingerprint ? -1 : 1
    expect(accepted.map(described).toSorted(byName)).toEqual(
      officialRoots.map(({ algorithm: _, ...root }) => root).toSorted(byName),
    )
  })

  test('lead from every authority whose root the engine can verify up to that root', async () => {
    const known = readCertificates(intermediates)
    const judge = createJudge({
      anchors: TrustAnchors.of(readCertificates(roots)),
      intermediates: known,
    })
    const now = new Date('2026-11-15')
    const subjects = new Set([...known, ...readCertificates(roots)].map(({ subject }) => subject.key))
    const reached = new Map<string, number>()
    for (const certificate of known) {
      const { anchor, reasons } = await judge.certificate(certificate, { at: now, now, purpose: 'any' })
      const codes = reasons.map(({ code }) => code).filter((code) => !code.startsWith('revocation.'))
      const expected = anchor ? [] : expect.arrayContaining(['chain.no-path'])
      expect(codes).toEqual(expected)
      // Only an issuer that is not in the file may end the path early.
      if (!anchor) expect(subjects.has(certificate.issuer.key)).toBe(false)
      const root = anchor?.subject.commonName?.split(' ').at(-1) ?? 'none'
      reached.set(root, (reached.get(root) ?? 0) + 1)
    }
    expect(Object.fromEntries(reached)).toEqual({ v5: 142, v6: 3, v10: 9, v11: 1, v12: 16 })
  })

  test('signed themselves, with every algorithm but that of v7', () => {
    const unjudged = readCertificates(roots).filter((root) => !root.issued(root))
    expect(unjudged.map(({ subject }) => subject.commonName)).toEqual(['Autoridade Certificadora Raiz Brasileira v7'])
    expect(unjudged.map(({ hasKnownKey }) => hasKnownKey)).toEqual([false])
  })

  test('are read as node reads them', () => {
    for (const certificate of readCertificates(intermediates)) {
      const x509 = new X509Certificate(certificate.der)
      expect(certificate.serialNumberHex).toBe(x509.serialNumber)
      expect(certificate.extensions.isAuthority).toBe(true)
      expect(certificate.extensions.unknownCritical).toEqual([])
    }
  })
})
