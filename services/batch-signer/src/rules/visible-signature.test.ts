import { expect, test } from 'vitest'
import { filledLines, linesProblem, signingDate } from './visible-signature.ts'

const values = {
  name: 'Ana Souza',
  cpf: '52998224725',
  cnpj: null,
  date: '17/11/2026 19:08:23 -03:00',
  reason: 'Folha',
  location: null,
}

test('fields are filled in, and a line that would say nothing is left out', () => {
  const lines = ['Signed by {name}', 'CPF {cpf} / {maskedCpf}', 'CNPJ {cnpj}', '{reason} {location}', 'plain', '{date}']
  expect(filledLines(lines, values)).toEqual([
    'Signed by Ana Souza',
    'CPF 529.982.247-25 / ***.982.247-**',
    'Folha ',
    'plain',
    '17/11/2026 19:08:23 -03:00',
  ])
  expect(filledLines(['{cnpj}'], { ...values, cnpj: '11222333000181' })).toEqual(['11.222.333/0001-81'])
})

test('a field that does not exist is named', () => {
  expect(linesProblem(['{name}', '{colour}'])).toContain('{colour}')
  expect(linesProblem(['{name} {toString}'])).toContain('{toString}')
  expect(linesProblem(['{date}', 'no field'])).toBeUndefined()
})

test('the date is that of the site, with its offset', () => {
  const moment = new Date('2026-11-17T22:08:23Z')
  expect(signingDate(moment, 'America/Sao_Paulo')).toBe('17/11/2026 19:08:23 -03:00')
  expect(signingDate(moment, 'UTC')).toBe('17/11/2026 22:08:23 +00:00')
})
