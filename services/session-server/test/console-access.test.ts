import { signedIn } from '@chancela/testkit/console'
import { describe, expect, test } from 'vitest'
import { sharedSessionServer } from './test-support/session-world.ts'

describe('access to the console on SQLite', () => {
  const world = sharedSessionServer('SQLite')

  test('what is not there is not there', async () => {
    const browser = await signedIn(world())
    for (const path of ['/api', '/api/nothing', '/v1/sessions', '/openapi/v1.json']) {
      const { status, body } = await browser.call('GET', path)
      expect([path, status, body.error.code]).toEqual([path, 404, 'ENDPOINT_NOT_FOUND'])
    }
  })
})
