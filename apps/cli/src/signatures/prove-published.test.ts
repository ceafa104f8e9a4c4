// The official roots, as ITI publishes them. The file is not part of this repository: `npm run prove:published` says where
// it is looked for.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cachedKeys, startDemoPki } from '@chancela/testkit/demo-pki'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, onTestFinished, test } from 'vitest'
import { cli } from './test-support/run-cli.ts'

const published = new URL('../../../../../shared/icp-brasil/', import.meta.url)

test('chancela trust brings in the official roots, and refuses a forged one by its fingerprint', async () => {
  const folder = temporaryFolder()
  const roots = readFileSync(new URL('roots.pem', published), 'utf8')
  const demo = await startDemoPki({ keys: cachedKeys() })
  onTestFinished(() => demo.stop())
  const forged = demo.pki.trustAnchors()
  writeFileSync(join(folder, 'roots.pem'), roots + forged)
  writeFileSync(join(folder, 'forged.pem'), forged)
  const refused = await cli([
    'trust',
    'update',
    '--file',
    join(folder, 'forged.pem'),
    '--folder',
    join(folder, 'trust'),
  ])
  expect(refused.code).toBe(1)
  expect(existsSync(join(folder, 'trust'))).toBe(false)
  const updated = await cli(['trust', 'update', '--file', join(folder, 'roots.pem'), '--folder', join(folder, 'trust')])
  expect(updated.code).toBe(0)
  expect(updated.err).toContain('Refused: AC Raiz Demo v1')
  const listed = JSON.parse((await cli(['trust', 'list', '--json', '--folder', join(folder, 'trust')])).out)
  expect(listed.certificates.length).toBeGreaterThan(5)
  expect(JSON.stringify(listed)).not.toContain('Demo')
})
