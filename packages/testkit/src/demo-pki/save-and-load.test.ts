import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY } from '@chancela/service-kernel/clock'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { testClock } from '../clock/index.ts'
import { openssl } from '../tools/run-tool.ts'
import { createDemoPki } from './create-demo-pki.ts'
import { demoHolders } from './declaration.ts'
import type { DemoPki } from './demo-pki.ts'
import { cachedKeys } from './keys.ts'
import { openDemoPki } from './open-demo-pki.ts'
import { loadDemoPki, saveDemoPki } from './save-and-load.ts'
import { writeDemoFiles } from './write-demo-files.ts'

const options = { baseUrl: 'http://localhost:8087', clock: testClock(), keys: cachedKeys() }
let saved: string
let parent: string
let folder: string

beforeAll(async () => {
  saved = await mkdtemp(join(tmpdir(), 'demo-pki-saved-once-'))
  await saveDemoPki(await createDemoPki(options), saved)
})
afterAll(() => rm(saved, { recursive: true }))

/** A folder with a complete PKI that a test may change. */
const copySaved = () => cp(saved, folder, { recursive: true })

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'demo-pki-saved-'))
  folder = join(parent, 'pki')
  onTestFinished(() => rm(parent, { recursive: true }))
})

/** Everything that must survive: numbers, bytes, revocations. */
const contents = (pki: DemoPki) =>
  pki
    .certificates()
    .map((certificate) => ({
      label: certificate.label,
      issuer: certificate.issuer,
      der: certificate.der.toString('hex'),
      key: certificate.key.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      revoked: pki.revocationOf(certificate),
    }))
    .toSorted((one, other) => one.label.localeCompare(other.label))

describe('a saved PKI', () => {
  test('comes back with every certificate, key and revocation, later ones included', async () => {
    const pki = await createDemoPki(options)
    pki.revoke(await pki.issuePerson({ name: 'Sonia Leal' }, { key: 'P-256' }), { reason: 'superseded' })
    await saveDemoPki(pki, folder)
    const loaded = await loadDemoPki(folder, options)
    expect(contents(loaded!)).toEqual(contents(pki))
    expect(loaded!.revocationOf(loaded!.certificate('sonia-leal'))?.reason).toBe('superseded')
  })

  test('is saved again over the earlier one, leaving nothing beside it', async () => {
    await copySaved()
    const pki = (await loadDemoPki(folder, options))!
    pki.revoke(pki.certificate('bruno-lima'), { reason: 'affiliationChanged' })
    await saveDemoPki(pki, folder)
    const loaded = await loadDemoPki(folder, options)
    expect(loaded!.revocationOf(loaded!.certificate('bruno-lima'))?.reason).toBe('affiliationChanged')
    expect(await readdir(parent)).toEqual(['pki'])
  })

  test('keeps its keys from other users of the machine', async () => {
    expect((await stat(join(saved, 'keys'))).mode & 0o777).toBe(0o700)
    for (const file of await readdir(join(saved, 'keys'))) {
      expect((await stat(join(saved, 'keys', file))).mode & 0o777).toBe(0o600)
    }
  })

  test('is absent where nothing was saved', async () => {
    expect(await loadDemoPki(folder, options)).toBeUndefined()
  })

  test('survives a crash before the new folder took its place', async () => {
    await copySaved()
    await rename(folder, `${folder}.previous`)
    await mkdir(`${folder}.saving`)
    const loaded = await loadDemoPki(folder, options)
    expect(loaded!.has('ana-souza')).toBe(true)
    await saveDemoPki(loaded!, folder)
    expect(await readdir(parent)).toEqual(['pki'])
  })

  const damages: Record<string, () => Promise<void>> = {
    'an index that is no JSON': () => writeFile(join(folder, 'pki.json'), '{"version": 1, "certif'),
    'an index of something else': () => writeFile(join(folder, 'pki.json'), '{"version": 2}'),
    'no index': () => rm(join(folder, 'pki.json')),
    'a key that is gone': () => rm(join(folder, 'keys', 'root.pem')),
    'a key cut short': () => writeFile(join(folder, 'keys', 'root.pem'), '-----BEGIN PRIVATE KEY-----\nMIIJ'),
    'a certificate that is gone': () => rm(join(folder, 'certificates', 'ana-souza.pem')),
    'a certificate of another key': async () => {
      const other = await readFile(join(folder, 'certificates', 'bruno-lima.pem'))
      await writeFile(join(folder, 'certificates', 'ana-souza.pem'), other)
    },
    'a certificate whose issuer is gone': () =>
      changeIndex((index) => index.replace('"label": "level-1"', '"label": "level-one"')),
    'a revocation at no time': () => changeIndex((index) => index.replace(/"at": ".*?"/, '"at": "yesterday"')),
    'a label that leads out of the folder': () =>
      changeIndex((index) => index.replace('"ana-souza"', '"../../ana-souza"')),
  }

  async function changeIndex(change: (index: string) => string): Promise<void> {
    const file = join(folder, 'pki.json')
    const index = await readFile(file, 'utf8')
    expect(change(index)).not.toBe(index)
    await writeFile(file, change(index))
  }

  test.each(Object.entries(damages))('with %s is a problem that says how to go on', async (_what, damage) => {
    await copySaved()
    await damage()
    const problem = await loadDemoPki(folder, options).catch((error) => error)
    expect(problem).toBeInstanceOf(StartupProblem)
    expect(problem.message).toContain(folder)
    expect(problem.message).toContain('--fresh')
  })

  test('cannot be served at another address than the one in its certificates', async () => {
    await copySaved()
    const problem = await loadDemoPki(folder, { ...options, baseUrl: 'http://localhost:9999' }).catch((error) => error)
    expect(problem).toBeInstanceOf(StartupProblem)
    expect(problem.message).toContain('http://localhost:8087')
  })
})

describe('opening the PKI of a folder', () => {
  test('makes it the first time and finds it the second', async () => {
    const first = await openDemoPki(folder, options)
    const second = await openDemoPki(folder, options)
    expect(contents(second)).toEqual(contents(first))
  })

  test('issues what was declared since it was saved, and saves that too', async () => {
    await copySaved()
    const first = await openDemoPki(folder, options)
    const index = JSON.parse(await readFile(join(folder, 'pki.json'), 'utf8'))
    const without = index.certificates.filter(({ label }: { label: string }) => label !== 'davi-moreira')
    await writeFile(join(folder, 'pki.json'), JSON.stringify({ ...index, certificates: without }))
    const second = await openDemoPki(folder, options)
    expect(second.certificate('davi-moreira').x509.serialNumber).not.toBe(
      first.certificate('davi-moreira').x509.serialNumber,
    )
    expect(second.certificate('ana-souza').x509.serialNumber).toBe(first.certificate('ana-souza').x509.serialNumber)
    expect(contents(await openDemoPki(folder, options))).toEqual(contents(second))
  })

  test('refuses one whose holders have run out', async () => {
    await copySaved()
    const clock = testClock()
    await openDemoPki(folder, { ...options, clock })
    clock.advance(400 * DAY)
    await expect(openDemoPki(folder, { ...options, clock })).rejects.toBeInstanceOf(StartupProblem)
  })
})

describe('the files of the demo', () => {
  test('are the trust anchors and one PKCS#12 for each holder, opened by the PIN', async () => {
    const pki = (await loadDemoPki(saved, options))!
    const { trustAnchors, holders } = await writeDemoFiles(pki, folder)
    expect(await readFile(trustAnchors, 'utf8')).toBe(pki.certificate('root').x509.toString())
    expect(holders.map(({ cpf }) => cpf)).toEqual(demoHolders.map(({ cpf }) => cpf))
    for (const { pkcs12, pin, cpf } of holders) {
      const { ok, text } = await openssl(['pkcs12', '-in', pkcs12, '-passin', 'env:PASSWORD', '-nodes'], {
        password: pin,
      })
      expect(ok).toBe(true)
      expect(text).toMatch(new RegExp(`subject=.*${cpf}`))
      expect((await stat(pkcs12)).mode & 0o777).toBe(0o600)
    }
  })

  test('are for at least three people with e-mail and PIN', () => {
    expect(demoHolders.length).toBeGreaterThanOrEqual(3)
    for (const { pin, email } of demoHolders)
      expect([pin, email]).toEqual([expect.stringMatching(/^\d{6}$/), expect.stringContaining('@')])
  })
})
