import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupProblem } from '@chancela/service-kernel/errors'
import { samplePdf } from '@chancela/testkit/samples'
import { testStores } from '@chancela/testkit/stores'
import { runTool, temporaryFolder } from '@chancela/testkit/tools'
import { describe, expect, test } from 'vitest'
import { storesOf } from '../src/test-support/as-new.ts'
import { API_KEY, form, profilesApp } from './test-support/profiles-app.ts'
import { inMemory, openSigningWorld, seed, signThrough, type WorldOptions } from './test-support/signing-world.ts'

/** A PNG of one red pixel. */
const RED = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC'

const box = { page: 'first', corner: 'top-right', x: 50, y: 40, width: 150, height: 50 } as const

const whole = { ...box, lines: ['{name}', 'CPF {maskedCpf}', '{date}'], image: null, border: true }

/** A page as poppler draws it, at a point per pixel; true where it is not white. */
async function inkOf(pdf: Buffer, page = 1) {
  const path = join(temporaryFolder(), 'page.pdf')
  await writeFile(path, pdf)
  const { stdout } = await runTool('pdftoppm', ['-r', '72', '-f', `${page}`, '-l', `${page}`, path])
  const [, width = 0, height = 0] = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(stdout.toString('latin1', 0, 30))!.map(Number)
  const pixels = stdout.subarray(stdout.length - width * height * 3)
  const at = (x: number, y: number) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
  const isInk = (x: number, y: number) => at(x, y).some((value) => value < 200)
  return { width, height, at, isInk }
}

async function judged(pdf: Buffer): Promise<{ readonly words: string; readonly verdict: string }> {
  const path = join(temporaryFolder(), 'signed.pdf')
  await writeFile(path, pdf)
  const { text: verdict } = await runTool('pdfsig', ['-nocert', path])
  const { text: words } = await runTool('pdftotext', ['-layout', path, '-'])
  return { words, verdict }
}

const sign = (world: Awaited<ReturnType<typeof openSigningWorld>>, profile: string) =>
  signThrough(world, { profile, format: 'Pades' }, inMemory(samplePdf('A contract')))

for (const [database, openNew] of Object.entries(testStores)) {
  const open = storesOf(openNew)

  describe(`visible signatures on ${database}`, () => {
    const openWorld = (options: WorldOptions = {}) =>
      openSigningWorld({
        open,
        clock: () => new Date('2026-11-17T01:30:00Z'),
        ...options,
        settings: { Auth: { ApiKey: API_KEY }, ...options.settings },
      })

    test('stand where the profile says, with the signer and the date of the site, and verify', async () => {
      const world = await openWorld({ seeds: [seed('plain', { Format: 'Pades', ValidateCertificate: false })] })
      const call = await profilesApp(world)
      const shown = { format: 'Pades', level: 'B-B', validateCertificate: false, visible: whole }
      const made = await call('POST', '/dashboard/api/profiles', {
        name: 'shown',
        ...form({ ...shown, certificate: { kind: 'Pkcs12', path: 'ana-souza.p12' } }),
        signatureReason: 'Folha de novembro',
        signatureLocation: 'Recife',
        secret: 'canary-of-the-secret-words',
      })
      expect(made).toMatchObject({ status: 201, body: { visible: whole, signatureLocation: 'Recife' } })
      const signed = await sign(world, 'shown')
      const { words, verdict } = await judged(signed)
      expect(verdict).toContain('Signature Validation: Signature is Valid.')
      expect(words).toContain('***.')
      expect(words).toContain('16/11/2026 22:30:00 -03:00')
      expect(signed.toString('latin1')).toMatch(/\/Reason \(Folha de novembro\)/)
      expect(signed.toString('latin1')).toMatch(/\/Location \(Recife\)/)
      const { width, isInk } = await inkOf(signed)
      const [left, right, top, bottom] = [width - 50 - 150, width - 50, 40, 90]
      const middle = (top + bottom) / 2
      // The border, and nothing just outside it.
      expect([left, right - 1].map((x) => [x - 1, x, x + 1].some((near) => isInk(near, middle)))).toEqual([true, true])
      expect([left - 4, right + 4].map((x) => isInk(x, middle))).toEqual([false, false])
      const invisible = await sign(world, 'plain')
      expect((await inkOf(invisible)).isInk(left, middle)).toBe(false)
    })

    test('are moved onto a page that is smaller than their place', async () => {
      const away = { ...whole, x: 480, y: 820, width: 150, height: 50 }
      const visible = { ...box, ...away, corner: 'top-left' } as const
      const world = await openWorld()
      const call = await profilesApp(world)
      const shown = { format: 'Pades', level: 'B-B', validateCertificate: false, visible }
      const made = await call('POST', '/dashboard/api/profiles', {
        name: 'small',
        ...form({ ...shown, certificate: { kind: 'Pkcs12', path: 'ana-souza.p12' } }),
        secret: 'canary-of-the-secret-words',
      })
      expect(made).toMatchObject({ status: 201 })
      const { words, verdict } = await judged(await sign(world, 'small'))
      expect(verdict).toContain('Signature Validation: Signature is Valid.')
      expect(words).toContain('***.')
    })

    test('are kept by a form that does not know of them, and taken away by null', async () => {
      const world = await openWorld()
      const call = await profilesApp(world)
      const path = '/dashboard/api/profiles'
      await call('POST', path, { name: 'shown', ...form({ format: 'Pades' }), visible: whole })
      const kept = await call('PUT', `${path}/shown`, { version: 1, ...form({ format: 'Pades', verify: false }) })
      expect(kept).toMatchObject({ status: 200, body: { visible: whole, verify: false } })
      const gone = await call('PUT', `${path}/shown`, { version: 2, ...form({ format: 'Pades' }), visible: null })
      expect(gone).toMatchObject({ status: 200, body: { visible: null } })
    })
  })
}

test('a seed of the settings file has an image, in the box it names', async () => {
  const folder = temporaryFolder()
  await writeFile(join(folder, 'logo.png'), Buffer.from(RED, 'base64'))
  const Visible = {
    Page: 1,
    Corner: 'bottom-left',
    X: 20,
    Y: 20,
    Width: 60,
    Height: 60,
    Lines: [],
    ImageFile: 'logo.png',
  }
  const more = { Format: 'Pades', ValidateCertificate: false, Visible }
  const world = await openSigningWorld({ folder, seeds: [seed('logo', more)] })
  const signed = await sign(world, 'logo')
  expect((await judged(signed)).verdict).toContain('Signature is Valid.')
  const { height, at } = await inkOf(signed)
  const [red = 0, green = 255] = at(50, height - 50)
  expect([red > 200, green < 60]).toEqual([true, true])
})

test('what could not be drawn is refused when it is saved, and stops a start', async () => {
  const world = await openSigningWorld({ settings: { Auth: { ApiKey: API_KEY } } })
  const call = await profilesApp(world)
  const tried = async (visible: object) => {
    const { status, body } = await call('POST', '/dashboard/api/profiles', {
      name: 'shown',
      ...form({ format: 'Pades' }),
      visible: { ...whole, ...visible },
    })
    return [status, (body as { code: string }).code, Object.keys((body as { errors?: object }).errors ?? {})]
  }
  const refused = [400, 'profile.invalid', ['visible']]
  expect(await tried({ lines: [], image: null })).toEqual(refused)
  expect(await tried({ width: 3 })).toEqual(refused)
  expect(await tried({ image: Buffer.from('GIF89a').toString('base64') })).toEqual(refused)
  expect(await tried({ image: Buffer.alloc(140_000, 1).toString('base64') })).toEqual(refused)
  expect(await tried({ image: 'not base64!' })).toEqual(refused)
  expect(await tried({ lines: ['{colour}'] })).toEqual(refused)
  const missing = seed('shown', { Format: 'Pades', Visible: { ImageFile: 'nowhere.png' } })
  await expect(openSigningWorld({ seeds: [missing] })).rejects.toThrow(StartupProblem)
})
