import { expect, test } from 'vitest'
import { faultsOf } from '../../../test/texts.ts'
import type { Catalogue } from './catalogue.ts'

const english = { greeting: 'Good day', deep: { parting: 'Farewell, {{name}}' } } as const

// Checked by the compiler: if one of these lines compiled, the type check of the tests would fail.
test('a catalogue with a key missing, or one too many, in one language does not compile', () => {
  // @ts-expect-error deep.parting is missing
  const missing: Catalogue<typeof english> = { 'en-US': english, 'pt-BR': { greeting: 'Bom dia', deep: {} } }
  const tooMany: Catalogue<typeof english> = {
    'en-US': english,
    // @ts-expect-error nobody reads deep.extra
    'pt-BR': { greeting: 'Bom dia', deep: { parting: 'Adeus', extra: '' } },
  }
  // @ts-expect-error a whole language is missing
  const alone: Catalogue<typeof english> = { 'en-US': english }
  expect([missing, tooMany, alone]).toHaveLength(3)
})

test('an empty text and a forgotten value are faults', () => {
  const faulty: Catalogue<typeof english> = { 'en-US': english, 'pt-BR': { greeting: ' ', deep: { parting: 'Adeus' } } }
  expect(faultsOf(faulty)).toEqual(['pt-BR greeting', 'pt-BR deep.parting'])
})
