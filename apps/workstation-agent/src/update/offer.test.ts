import { expect, test } from 'vitest'
import { newerOffer, packageFor } from './offer.ts'

const offer = (version: string, platforms: readonly string[] = []) => ({
  version,
  packages: platforms.map((platform) => ({ platform, url: `https://example/${platform}`, sha256: '0'.repeat(64) })),
})

test.each([
  ['0.1.1', '0.1.0', true],
  ['0.10.0', '0.9.9', true],
  ['1.0.0', '1.0.0-rc.1', true],
  ['1.0.0', '0.99.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.9.9', '0.10.0', false],
  ['1.0.0-rc.1', '1.0.0', false],
  ['1.0.0-rc.2', '1.0.0-rc.1', false],
  ['latest', '0.1.0', false],
  ['0.2', '0.1.0', false],
])('version %s is offered where %s runs: %s', (offered, running, isNewer) => {
  expect(newerOffer(offer(offered), running) !== undefined).toBe(isNewer)
  expect(newerOffer(undefined, running)).toBeUndefined()
})

test('the package is that of the machine', () => {
  const offered = offer('9.9.9', ['win32-x64', 'linux-x64'])
  expect(packageFor(offered, 'linux-x64')?.url).toBe('https://example/linux-x64')
  expect(packageFor(offered, 'linux-arm64')).toBeUndefined()
})
