import { expect, test } from 'vitest'
import { platformWords, platformWordsInBoth } from './platform-words.ts'

const inPortuguese = (stored: string) => platformWordsInBoth(stored)?.['pt-BR']

test('a reason is told in Portuguese, with what a person or another reason says in it', () => {
  expect(inPortuguese(platformWords('none-connected'))).toBe(
    'A organização não tem plataforma de documentos conectada.',
  )
  expect(inPortuguese(platformWords('Refused-because', { said: 'Falta o anexo.' }))).toBe(
    'Uma assinatura foi recusada na plataforma de documentos. Falta o anexo.',
  )
  const why = platformWords('with-code', { why: platformWords('key-weak'), code: 'Forbidden' })
  expect(inPortuguese(platformWords('not-taken', { why }))).toBe(
    'A plataforma de documentos o recusou: A chave não pode fazer isto. (Forbidden)',
  )
})

test('what a machine elsewhere said is not taken for ours', () => {
  for (const said of ['What came back is refused. A signature is wrong.', 'The document platform refused it: Oops'])
    expect(platformWordsInBoth(said)).toBe(null)
})
