import { join } from 'node:path'
import { nextLine, program } from '@chancela/testkit/programs'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'

const starter = program(
  import.meta.url,
  `import { openSecrets } from './index.ts'
   console.log(openSecrets({ service: 'x', masterKeyFile: process.env.MASTER_KEY_FILE }).newestKeyId())`,
)

test('services that start for the first time at once agree on one master key', async () => {
  const MASTER_KEY_FILE = join(temporaryFolder(), 'master.key')
  const children = await Promise.all(Array.from({ length: 4 }, () => starter({ MASTER_KEY_FILE })))
  const ids = await Promise.all(children.map(nextLine))
  expect(ids[0]).toMatch(/^[0-9a-f]{8}$/)
  expect(new Set(ids).size).toBe(1)
})
