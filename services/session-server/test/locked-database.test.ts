// The database file is locked by another process, a real one, as a tool on the machine may do.
import { nextLine, program } from '@chancela/testkit/programs'
import { expect, test } from 'vitest'
import { type SessionWorld, sharedSessionServer } from './test-support/session-world.ts'
import { newSession } from './test-support/signing.ts'
import { newHolder, PIN } from './test-support/vault.ts'

const locker = program(
  import.meta.url,
  `import { openStore } from '@chancela/service-kernel/store'
   const store = await openStore({ url: process.env.STORE_URL, service: process.env.STORE_SERVICE })
   await store.transaction(async () => {
     console.log('locked')
     await new Promise((resolve) => setTimeout(resolve, 600_000))
   })`,
)

async function lockedBy({ store }: SessionWorld) {
  const child = await locker({ STORE_URL: store.url, STORE_SERVICE: store.service })
  expect(await nextLine(child)).toBe('locked')
  return { unlock: () => void child.kill('SIGKILL') }
}

const shared = sharedSessionServer('SQLite')

const open = (world: SessionWorld, cpf: string) => world.call('POST', '/v1/sessions', bodyOf({ cpf, pin: PIN }))

const told = async (answer: Response) => {
  const { error } = (await answer.json()) as { error: { code: string } }
  return [answer.status, answer.headers.get('retry-after'), error.code]
}

const bodyOf = (fields: object) => ({
  body: JSON.stringify(fields),
  headers: { 'content-type': 'application/json' },
})

test('a call that writes waits for the lock; calls that read are answered meanwhile', async () => {
  const world = shared()
  const { sessionId } = await newSession(world)
  const { cpf } = await newHolder(world)
  const { unlock } = await lockedBy(world)
  const answers: string[] = []
  const opening = open(world, cpf).then(({ status }) => answers.push(`opened ${status}`))
  for (let read = 0; read < 20; read++) {
    const { status } = await world.json('GET', `/v1/sessions/status?sessionId=${sessionId}`)
    answers.push(`read ${status}`)
  }
  unlock()
  await opening
  expect(answers).toEqual([...Array.from({ length: 20 }, () => 'read 200'), 'opened 201'])
})

test('calls at once that write are refused together while it stays locked, and told when to come back', async () => {
  const world = shared()
  const holders = await Promise.all([newHolder(world), newHolder(world), newHolder(world)])
  const { unlock } = await lockedBy(world)
  const answers = await Promise.all(holders.map(async ({ cpf }) => told(await open(world, cpf))))
  expect(answers).toEqual(holders.map(() => [503, '5', 'INTERNAL_ERROR']))
  unlock()
  expect((await open(world, holders[0]!.cpf)).status).toBe(201)
})
