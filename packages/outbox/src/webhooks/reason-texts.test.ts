import { expect, test } from 'vitest'
import { reason, reasonInBoth } from './reason-texts.ts'

test.each([
  [reason('answered', { status: 503 }), 'O destinatário respondeu 503.'],
  [reason('gone-for-good'), 'O destinatário respondeu 410: ele não existe mais.'],
  [reason('no-answer', { code: 'ECONNREFUSED' }), 'Sem resposta: ECONNREFUSED.'],
  [
    reason('failing', { since: '2026-11-16T12:00:00.000Z' }),
    'Todas as tentativas desde 2026-11-16T12:00:00.000Z falharam.',
  ],
  [reason('paused-by', { name: 'Helena Prado' }), 'Pausado por Helena Prado.'],
  [reason('token-answered', { status: 401 }), 'Sem token de acesso: o endereço dele respondeu 401.'],
])('%s is told in Portuguese, too', (stored, portuguese) => {
  expect(reasonInBoth(stored)).toEqual({ 'en-US': stored, 'pt-BR': portuguese })
})

test('what somebody else said stays as it is', () => {
  for (const said of ['No answer: Parse Error: Expected HTTP/.', 'Paused by hand', null])
    expect(reasonInBoth(said)).toBe(null)
})
