import { describe, expect, test } from 'vitest'
import { toPem } from '../der/pem.ts'
import type { HttpExchange } from '../http/exchange.ts'
import { authority, craft } from '../x509/test-support/crafted-certificate.ts'
import { type NewZipFile, writeZip } from '../zip/zip-writer.ts'
import { downloadOfficialRoots, importOfficialRoots, officialRootsAddress } from './import-official-roots.ts'
import { officialRoots } from './official-roots.ts'
import { TrustAnchors } from './trust-anchors.ts'

const zipArchive = (files: readonly NewZipFile[]) => writeZip(files, new Date())

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
