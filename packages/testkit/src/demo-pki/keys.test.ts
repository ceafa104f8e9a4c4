import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { cachedKeys, freshKeys, keyFromPem, keyToPem } from './keys.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'demo-pki-keys-')), 'cache')
  onTestFinished(() => rm(join(folder, '..'), { recursive: true }))
})

describe('cached keys', () => {
  test('are made once, and kept from other users of the machine', async () => {
    const first = await cachedKeys(folder)('maria', 'P-256')
    const second = await cachedKeys(folder)('maria', 'P-256')
    expect(second.privateKey.equals(first.privateKey)).toBe(true)
    expect(await readdir(folder)).toEqual(['maria.P-256.pem'])
    expect((await stat(join(folder, 'maria.P-256.pem'))).mode & 0o777).toBe(0o600)
  })

  test('are another for another label or another kind', async () => {
    const keys = cachedKeys(folder)
    const [maria, joana, larger] = [
      await keys('maria', 'P-256'),
      await keys('joana', 'P-256'),
      await keys('maria', 'P-384'),
    ]
    expect(joana.privateKey.equals(maria.privateKey)).toBe(false)
    expect([maria.kind, larger.kind]).toEqual(['P-256', 'P-384'])
  })

  test('are made again when the file is damaged or holds another kind', async () => {
    const keys = cachedKeys(folder)
    await keys('maria', 'P-256')
    await writeFile(join(folder, 'maria.P-256.pem'), 'not a key')
    expect((await keys('maria', 'P-256')).kind).toBe('P-256')
    await writeFile(join(folder, 'maria.P-256.pem'), keyToPem(await freshKeys('other', 'P-384')))
    expect((await keys('maria', 'P-256')).kind).toBe('P-256')
  })
})

test('a key of a kind the demo PKI does not make is refused', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  expect(() => keyFromPem(privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)).toThrow(RangeError)
})
