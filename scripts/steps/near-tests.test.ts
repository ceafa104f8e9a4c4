import { expect, test } from 'vitest'
import { nearTests } from './near-tests.mjs'

test('the tests of the packages that changed are near, all others are counted', () => {
  const changed = ['packages/service-kernel/src/http/input/multipart.ts', 'scripts/check.mjs']
  const reaching = [
    'packages/service-kernel/src/http/input/multipart.test.ts',
    'packages/signature-engine/src/der/der.test.ts',
    'services/batch-signer/test/compact.test.ts',
    'scripts/gates.test.ts',
  ]
  expect(nearTests(changed, reaching)).toEqual({
    near: ['packages/service-kernel/src/http/input/multipart.test.ts', 'scripts/gates.test.ts'],
    far: 2,
  })
})
