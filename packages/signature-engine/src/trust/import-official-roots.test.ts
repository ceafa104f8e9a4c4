import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { toPem } from '../der/pem.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { createJudge } from '../judgement/judge-certificate.ts'
import type { Certificate } from '../x509/certificate.ts'
import { readCertificates } from '../x509/certificate-files.ts'
import { authority, craft } from '../x509/test-support/crafted-certificate.ts'
import { downloadOfficialRoots, importOfficialRoots, officialRootsAddress } from './import-official-roots.ts'
import { officialRoots } from './official-roots.ts'
import { zipArchive } from './test-support/zip-archive.ts'
import { TrustAnchors } from './trust-anchors.ts'

const stranger = craft({
  subject: { C: 'BR', O: 'ICP-Brasil', CN: 'Autoridade Certificadora Raiz Brasileira v12' },
  extensions: authority(),
}).certificate

describe('an import', () => {
  test('accepts no certificate for its name', () => {
    expect(importOfficialRoots(stranger.der)).toEqual({ accepted: [], refused: [stranger] })
  })

  test.each([
    ['DER', stranger.der],
    ['PEM', Buffer.from(toPem('CERTIFICATE', stranger.der).repeat(2))],
    ['a deflated archive', zipArchive([{ name: 'a/root.crt', content: stranger.der }])],
    [
      'a stored archive',
      zipArchive([{ name: 'root.pem', content: Buffer.from(toPem('CERTIFICATE', stranger.der)), stored: true }]),
    ],
    [
      'an archive with other files',
      zipArchive([
        { name: 'hash.txt', content: Buffer.from('abc') },
        { name: 'a/', content: Buffer.alloc(0), stored: true },
        { name: 'b.crt', content: stranger.der },
      ]),
    ],
  ])('reads %s', (_what, bytes) => {
    expect(importOfficialRoots(bytes).refused).toEqual([stranger])
  })

  test('refuses files without certificates', () => {
    expect(() => importOfficialRoots(zipArchive([{ name: 'x', content: Buffer.from('x') }]))).toThrow(
      expect.objectContaining({ code: 'trust.no-certificates' }),
    )
    expect(() => importOfficialRoots(Buffer.from('hello'))).toThrow(expect.objectContaining({ name: 'EngineError' }))
    expect(() => importOfficialRoots(Buffer.alloc(0))).toThrow(expect.objectContaining({ name: 'EngineError' }))
  })

  test('refuses an archive that is a bomb, cut off, or changed in any byte it cannot do without', () => {
    const bomb = zipArchive([{ name: 'zeros', content: Buffer.alloc(70 * 1024 * 1024) }])
    expect(() => importOfficialRoots(bomb)).toThrow(expect.objectContaining({ code: 'trust.zip-malformed' }))
    const archive = zipArchive([{ name: 'root.crt', content: stranger.der }])
    for (let length = 4; length < archive.length; length++) {
      expect(() => importOfficialRoots(archive.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'trust.zip-malformed' }),
      )
    }
    for (let offset = 3; offset < archive.length; offset++) {
      const changed = Buffer.from(archive)
      changed[offset]! ^= 0x55
      try {
        expect(importOfficialRoots(changed).accepted).toEqual([])
      } catch (error) {
        expect(error).toMatchObject({ name: 'EngineError' })
      }
    }
  })
})

test('a download asks ITI, and sorts out what comes', async () => {
  const asked: string[] = []
  const exchange: HttpExchange = async ({ url }) => {
    asked.push(url)
    return { status: 200, headers: {}, body: zipArchive([{ name: 'x.crt', content: stranger.der }]) }
  }
  expect((await downloadOfficialRoots(exchange)).refused).toEqual([stranger])
  expect(asked).toEqual([officialRootsAddress])
  const gone: HttpExchange = async () => ({ status: 404, headers: {}, body: Buffer.alloc(0) })
  await expect(downloadOfficialRoots(gone)).rejects.toMatchObject({ code: 'http.refused-status' })
})

test('anchors are known by fingerprint and found by name', () => {
  const other = craft({ subject: { CN: 'Other' } }).certificate
  const anchors = TrustAnchors.of([stranger, stranger])
  expect(anchors.certificates).toEqual([stranger])
  expect([anchors.has(stranger), anchors.has(other)]).toEqual([true, false])
  expect(anchors.named(stranger.subject.key)).toEqual([stranger])
  expect(anchors.named(other.subject.key)).toEqual([])
})

test('every pinned root has a fingerprint of its own', () => {
  expect(new Set(officialRoots.map(({ fingerprint }) => fingerprint)).size).toBe(officialRoots.length)
  for (const { fingerprint, notBefore, notAfter } of officialRoots) {
    expect(fingerprint).toMatch(/^[0-9a-f]{64}$/)
    expect(new Date(notBefore) < new Date(notAfter)).toBe(true)
  }
})

// The published certificates are not part of this repository. If they are next to it, the table is compared with them.
const folder = new URL('../../../../../shared/icp-brasil/', import.meta.url)
const published = (name: string): string | undefined => {
  const path = fileURLToPath(new URL(name, folder))
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
const roots = published('roots.pem')
const intermediates = published('intermediates.pem')
const where = roots && intermediates ? 'at hand beside the repository' : 'NOT at hand, so that nothing is compared'

describe(`the certificates ITI published (${where})`, () => {
  test('are the ones in the table', () => {
    if (!roots) return
    const { accepted, refused } = importOfficialRoots(Buffer.from(roots))
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
    if (!roots || !intermediates) return
    const known = readCertificates(Buffer.from(intermediates))
    const judge = createJudge({
      anchors: TrustAnchors.of(readCertificates(Buffer.from(roots))),
      intermediates: known,
    })
    const now = new Date('2026-11-15')
    const subjects = new Set([...known, ...readCertificates(Buffer.from(roots))].map(({ subject }) => subject.key))
    const reached = new Map<string, number>()
    for (const certificate of known) {
      const { anchor, reasons } = await judge.certificate(certificate, { at: now, now, purpose: 'any' })
      const codes = reasons.map(({ code }) => code).filter((code) => !code.startsWith('revocation.'))
      const expected = anchor ? [] : expect.arrayContaining(['chain.no-path'])
      expect(codes).toEqual(expected)
      // Only Ed448 (under root v6) and an issuer that is not in the file may end the path early.
      if (!anchor && certificate.hasKnownKey) expect(subjects.has(certificate.issuer.key)).toBe(false)
      const root = anchor?.subject.commonName?.split(' ').at(-1) ?? 'none'
      reached.set(root, (reached.get(root) ?? 0) + 1)
    }
    expect(Object.fromEntries(reached)).toEqual({ v5: 142, v10: 9, v11: 1, v12: 15, none: 4 })
  })
})
