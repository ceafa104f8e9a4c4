import { expect, test } from 'vitest'
import { asSent, valueAt, withValue } from './draft.ts'

const flow = { name: 'Fluxo', steps: [{ node: 'Document', participants: [{ name: 'Ana' }] }] }

test('a field is read and replaced by its path, and lists stay lists', () => {
  expect(valueAt(flow, 'steps[0].participants[0].name')).toBe('Ana')
  expect(valueAt(flow, 'data.endereco.cep')).toBeUndefined()
  expect(withValue(flow, 'steps.0.node', 'DadosDiploma')).toEqual({
    name: 'Fluxo',
    steps: [{ node: 'DadosDiploma', participants: [{ name: 'Ana' }] }],
  })
  expect(withValue({}, 'data.endereco.cep', '88010-000')).toEqual({ data: { endereco: { cep: '88010-000' } } })
})

test('what was left empty is not sent, and numbers are written as the service takes them', () => {
  const typed = {
    name: ' Universidade ',
    cnpj: '11.444.777/0001-61',
    federalSystem: false,
    data: {
      endereco: { cep: '88010-000', numero: '', complemento: '  ' },
      credenciamento: { numero: '12/90', secaoPublicacao: '1', paginaPublicacao: 'três' },
      mantenedora: { razaoSocial: '', endereco: { cep: '' } },
    },
  }
  expect(asSent(typed)).toEqual({
    name: 'Universidade',
    cnpj: '11444777000161',
    federalSystem: false,
    data: {
      endereco: { cep: '88010000' },
      credenciamento: { numero: '12/90', secaoPublicacao: 1, paginaPublicacao: 'três' },
    },
  })
})
