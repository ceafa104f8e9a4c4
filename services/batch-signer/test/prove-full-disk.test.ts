// `npm run prove:full-disk` runs it: not every machine lets a process have a small disk of its own.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fillDisk, pathIn, program } from '@chancela/testkit/programs'
import { temporaryFolder } from '@chancela/testkit/tools'
import { expect, test } from 'vitest'

/** Says again and again whether the folder can be written. */
const prober = program(
  import.meta.url,
  `import { setTimeout } from 'node:timers/promises'
   import { probeFolder } from '../src/upstream/storage/local/probe-folder.ts'
   for (;;) {
     console.log(await probeFolder(process.env.FOLDER).then(() => 'written', ({ code }) => code))
     await setTimeout(50)
   }`,
)

test('a folder on a full disk cannot be written, and can again when there is room', async () => {
  const folder = temporaryFolder()
  const child = await prober({ FOLDER: folder }, { disk: { folder, megabytes: 4 } })
  const lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]()
  const said = async () => (await lines.next()).value
  const ballast = () => pathIn(child.pid!, join(folder, 'ballast'))
  expect(await said()).toBe('written')
  const giveBack = fillDisk(ballast())
  await expect.poll(said).toBe('ENOSPC')
  expect(await said()).toBe('ENOSPC')
  giveBack()
  await expect.poll(said).toBe('written')
})
