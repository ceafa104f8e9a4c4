import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HOUR, MINUTE, plus } from '@chancela/service-kernel/clock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestClock, testClock } from '../clock/index.ts'
import { openssl } from '../tools/run-tool.ts'
import { createDemoPki } from './create-demo-pki.ts'
import type { DemoPki } from './demo-pki.ts'
import { cachedKeys } from './keys.ts'

let clock: TestClock
let pki: DemoPki
let folder: string

beforeAll(async () => {
  clock = testClock()
  pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock, keys: cachedKeys() })
  folder = await mkdtemp(join(tmpdir(), 'demo-pki-crl-'))
  for (const { label, x509 } of pki.authorities()) await writeFile(join(folder, `${label}.pem`), x509.toString())
})
afterAll(() => rm(folder, { recursive: true }))

const listOf = (label: string) => pki.revocationList(pki.certificate(label))

/** openssl's reading; it has checked the signature with the authority's key. */
async function readBack(label: string, der: Buffer, ...options: string[]): Promise<string> {
  const { text } = await openssl(
    ['crl', '-inform', 'DER', '-noout', '-CAfile', join(folder, `${label}.pem`), ...options],
    { input: der },
  )
  return text
}

describe('a revocation list', () => {
  test.each(['root', 'level-1', 'level-2', 'bulky', 'unknown-root'])('of %s is signed by it', async (label) => {
    expect(await readBack(label, (await listOf(label)).der)).toContain('verify OK')
  })

  test('names the revoked certificate, the time and the reason', async () => {
    const text = await readBack('level-2', (await listOf('level-2')).der, '-text')
    expect(text).toContain(`Serial Number: ${pki.certificate('revoked').x509.serialNumber}`)
    expect(text).toMatch(/Revocation Date: Feb 23 12:00:00 2026 GMT[\s\S]*CRL Reason Code: \n\s+Key Compromise/)
    expect(text).not.toContain(pki.certificate('ana-souza').x509.serialNumber)
  })

  test('says when it was made, when the next comes, and which one it is', async () => {
    const text = await readBack('level-2', (await listOf('level-2')).der, '-text')
    expect(text).toContain('Last Update: Mar  2 12:00:00 2026 GMT')
    expect(text).toContain('Next Update: Mar  3 12:00:00 2026 GMT')
    expect(text).toMatch(/X509v3 CRL Number: \n\s+\d+\n/)
    expect(text).toContain('X509v3 Authority Key Identifier')
  })

  test('of an authority that revoked nothing has no entries at all', async () => {
    expect(await readBack('root', (await listOf('root')).der, '-text')).toContain('No Revoked Certificates.')
  })

  test('of a large authority is 5 MB long and lists 110,000 certificates, the demo holder among them', async () => {
    const { der } = await listOf('bulky')
    expect(der.length).toBeGreaterThan(5_000_000)
    const text = await readBack('bulky', der, '-text')
    expect(text).toContain('verify OK')
    expect(text.match(/Serial Number: /g)).toHaveLength(110_001)
    expect(new Set(text.match(/Serial Number: .*/g)).size).toBe(110_001)
    expect(text).toContain(`Serial Number: ${pki.certificate('bulky-revoked').x509.serialNumber}`)
  })
})

describe('a revocation', () => {
  test('stands in the next list, without a reason when none was given', async () => {
    const rui = await pki.issuePerson({ name: 'Rui Prata' }, { key: 'P-256' })
    const before = await listOf('level-2')
    pki.revoke(rui)
    const text = await readBack('level-2', (await listOf('level-2')).der, '-text')
    expect(before.der.includes(Buffer.from(rui.x509.serialNumber, 'hex'))).toBe(false)
    expect(text).toContain(`Serial Number: ${rui.x509.serialNumber}`)
    expect(text.split(rui.x509.serialNumber)[1]?.split('Serial Number')[0]).not.toContain('Reason Code')
  })

  test('cannot lie in the future', () => {
    const tomorrow = plus(clock(), 24 * HOUR)
    expect(() => pki.revoke(pki.certificate('ana-souza'), { at: tomorrow })).toThrow(RangeError)
    expect(pki.revocationOf(pki.certificate('ana-souza'))).toBeUndefined()
  })

  test('had not happened before its time', async () => {
    const revoked = pki.certificate('revoked')
    const now = clock()
    clock.set('2026-02-20T12:00:00Z')
    expect(pki.revocationOf(revoked)).toBeUndefined()
    expect((await listOf('level-2')).der.includes(Buffer.from(revoked.x509.serialNumber, 'hex'))).toBe(false)
    clock.set(now)
    expect(pki.revocationOf(revoked)?.reason).toBe('keyCompromise')
    expect((await listOf('level-2')).der.includes(Buffer.from(revoked.x509.serialNumber, 'hex'))).toBe(true)
  })
})

describe('the list in force', () => {
  test('stays the same for half its life, then a later one with a higher number takes its place', async () => {
    const first = await listOf('level-2')
    clock.advance(11 * HOUR)
    expect(await listOf('level-2')).toBe(first)
    clock.advance(2 * HOUR)
    const second = await listOf('level-2')
    expect(second.thisUpdate > first.thisUpdate).toBe(true)
    expect(await numberOf(second.der)).toBeGreaterThan(await numberOf(first.der))
  })

  test('grows in number even when two are made within one second', async () => {
    const [ana, one] = [pki.certificate('ana-souza'), await listOf('level-2')]
    pki.revoke(ana, { reason: 'superseded', at: plus(clock(), -MINUTE) })
    expect(await numberOf((await listOf('level-2')).der)).toBeGreaterThan(await numberOf(one.der))
  })
})

async function numberOf(der: Buffer): Promise<number> {
  const { text } = await openssl(['crl', '-inform', 'DER', '-noout', '-crlnumber'], { input: der })
  return Number(/crlNumber=(0x[0-9A-F]+)/i.exec(text)?.[1])
}
