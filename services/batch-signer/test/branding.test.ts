import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startWorld, temporaryFolder } from './test-support/operations-world.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SVG = '<?xml version="1.0"?>\n<!-- the house -->\n<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>'

async function startWithLogo(name: string, content: Buffer | string) {
  const path = join(await temporaryFolder(), name)
  await writeFile(path, content)
  return startWorld({ settings: { Branding: { CustomerLogo: path } } })
}

test('GET /branding/customer-logo answers branding.customer-logo-not-available when none is configured', async () => {
  const { baseUrl } = await startWorld()
  const answer = await fetch(`${baseUrl}/branding/customer-logo`)
  expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'branding.customer-logo-not-available' }])
})

test('the logo may be kept for good under the address that carries its hash', async () => {
  const world = await startWithLogo('logo.png', PNG)
  const { customerLogo } = (await (await world.call('GET', '/dashboard/api/system')).json()) as { customerLogo: string }
  const answer = await fetch(`${world.baseUrl}${customerLogo}`)
  expect(answer.headers.get('content-type')).toBe('image/png')
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(Buffer.from(await answer.arrayBuffer())).toStrictEqual(PNG)
  const plain = await fetch(`${world.baseUrl}/branding/customer-logo`)
  expect(plain.headers.get('cache-control')).toBe('no-cache')
})

test('an SVG cannot run anything', async () => {
  const { baseUrl } = await startWithLogo('logo.svg', SVG)
  const answer = await fetch(`${baseUrl}/branding/customer-logo`)
  expect(answer.headers.get('content-type')).toBe('image/svg+xml')
  expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'")
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
})

test('a file that can never be a logo refuses the start', async () => {
  await expect(startWithLogo('logo.gif', 'GIF89a')).rejects.toThrow(
    /Branding:CustomerLogo: .*png, jpg, jpeg, webp or svg/,
  )
  await expect(startWithLogo('logo.png', SVG)).rejects.toThrow(/is not what its extension .png says/)
  await expect(startWithLogo('logo.svg', '<html><svg></svg></html>')).rejects.toThrow(/extension .svg/)
  await expect(startWithLogo('logo.jpg', PNG)).rejects.toThrow(/extension .jpg/)
  await expect(startWithLogo('logo.webp', PNG)).rejects.toThrow(/extension .webp/)
  const large = Buffer.concat([PNG, Buffer.alloc(256 * 1024)])
  await expect(startWithLogo('logo.png', large)).rejects.toThrow(/more than 256 KiB/)
})

test('a file that cannot be read now is only reported', async () => {
  const world = await startWorld({ settings: { Branding: { CustomerLogo: 'absent.png' } } })
  expect((await fetch(`${world.baseUrl}/branding/customer-logo`)).status).toBe(404)
  expect(world.log()).toContainEqual(
    expect.objectContaining({ msg: 'the customer logo cannot be read; pages are shown without it' }),
  )
})
