import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'

test('services that start for the first time at once agree on one master key', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chancela-secrets-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const program = `
    import { openSecrets } from '${new URL('./index.ts', import.meta.url)}'
    const secrets = openSecrets({ service: 'x', masterKeyFile: '${join(folder, 'master.key')}' })
    console.log(secrets.newestKeyId())`
  const start = () => promisify(execFile)(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program])
  const ids = (await Promise.all(Array.from({ length: 4 }, start))).map(({ stdout }) => stdout.trim())
  expect(ids[0]).toMatch(/^[0-9a-f]{8}$/)
  expect(new Set(ids).size).toBe(1)
})
