import { once } from 'node:events'
import { program } from '@chancela/testkit/programs'
import { expect, test } from 'vitest'

const lingering = program(
  import.meta.url,
  `import { createServer } from 'node:net'
   import { endSoon } from './end-soon.ts'
   createServer().listen(0, '127.0.0.1')
   process.exitCode = 3
   endSoon()`,
)

test('a process that was stopped ends with its code although something is still open in it', async () => {
  expect(await once(await lingering(), 'exit')).toEqual([3, null])
})
