import { createPrivateKey } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openssl, type ToolRun } from '../tools/run-tool.ts'
import { createDemoPki } from './create-demo-pki.ts'
import type { DemoPki } from './demo-pki.ts'
import { cachedKeys } from './keys.ts'
import { type Pkcs12VariantName, pkcs12Variants } from './pkcs12-variants.ts'

let pki: DemoPki
let folder: string

beforeAll(async () => {
  pki = await createDemoPki({ baseUrl: 'http://localhost:8087', clock: () => new Date(), keys: cachedKeys() })
  folder = await mkdtemp(join(tmpdir(), 'demo-pki-pkcs12-'))
  for (const [name, { example }] of Object.entries(pkcs12Variants)) {
    const holder = pki.certificate(example.holder)
    await writeFile(file(name), pki.pkcs12(holder, { password: example.password, variant: name as Pkcs12VariantName }))
  }
})
afterAll(() => rm(folder, { recursive: true }))

const file = (name: string): string => join(folder, `${name}.p12`)

/** RC2 and similar are in openssl's legacy provider; a missing MAC must be allowed explicitly. */
function open(name: string, password: string, ...options: string[]): Promise<ToolRun> {
  const needs = { 'rc2-40': ['-legacy'], 'rc2-40-accents': ['-legacy'], 'no-mac': ['-nomacver'] }[name] ?? []
  return openssl(['pkcs12', '-in', file(name), '-passin', 'env:PASSWORD', ...needs, ...options], { password })
}

/** What openssl must find in each file. */
const findings: Record<Pkcs12VariantName, RegExp[]> = {
  'rc2-40': [/MAC: sha1, Iteration 2048/, /pbeWithSHA1And40BitRC2-CBC, Iteration 2048/, /3-KeyTripleDES-CBC/],
  '3des': [/MAC: sha1/, /Encrypted data: pbeWithSHA1And3-KeyTripleDES-CBC/, /Keybag: pbeWithSHA1And3-KeyTripleDES-CBC/],
  'aes-256': [/MAC: sha256, Iteration 2048/, /PBES2, PBKDF2, AES-256-CBC, Iteration 2048, PRF hmacWithSHA256/],
  'aes-256-600k': [/MAC: sha256, Iteration 600000/, /Keybag: PBES2, PBKDF2, AES-256-CBC, Iteration 600000/],
  'aes-256-accents': [/MAC: sha256/, /AES-256-CBC/],
  'rc2-40-accents': [/MAC: sha1/, /40BitRC2/],
  'no-mac': [/PBES2, PBKDF2, AES-256-CBC/],
  'ec-key': [/MAC: sha256/, /AES-256-CBC/],
  unencrypted: [/MAC: sha256/, /PKCS7 Data\n(?:Certificate bag\n)+PKCS7 Data\nKey bag/],
}

describe.each(Object.entries(pkcs12Variants))('the variant %s', (name, { example, mac }) => {
  test('is opened by openssl and is what it says', async () => {
    const { ok, text } = await open(name, example.password, '-info', '-nodes')
    expect(ok).toBe(true)
    for (const finding of findings[name as Pkcs12VariantName]) expect(text).toMatch(finding)
    if (mac === 'none') expect(text).not.toContain('MAC:')
  })

  test('holds the key, the certificate and the whole chain', async () => {
    const { text } = await open(name, example.password, '-nodes')
    const holder = pki.certificate(example.holder)
    const key = createPrivateKey(/-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----/.exec(text)?.[0] ?? '')
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n/g)
    expect(key.equals(holder.key.privateKey)).toBe(true)
    expect(certificates).toEqual(pki.chainOf(holder).map(({ x509 }) => x509.toString()))
    expect(text.match(/localKeyID/g)).toHaveLength(2)
  })

  test('refuses a wrong password', async () => {
    const { ok, text } = await open(name, `${example.password}x`, '-nodes')
    expect(ok).toBe(false)
    expect(text).toMatch(mac === 'none' ? /decrypt|pkcs12/i : /Mac verify error: invalid password/)
  })
})
