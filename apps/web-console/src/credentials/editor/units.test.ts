import { expect, test } from 'vitest'
import { withUnits } from './units.ts'

const curriculum = {
  infEstruturaCurricular: {
    unidadeCurricular: [
      { tipo: 'Disciplina', codigo: 'MAT1', nome: 'Cálculo', cargaHorariaEmHoraRelogio: 60 },
      { tipo: 'Estágio', codigo: 'EST', nome: 'Estágio', cargaHorariaEmHoraRelogio: '300.5' },
      { tipo: 'Atividade Complementar', codigo: 'AC', nome: 'Monitoria', cargaHorariaEmHoraRelogio: '20' },
    ],
  },
}

test('units become entries of their sort, with code, name and hours', () => {
  expect(withUnits([], curriculum)).toMatchObject([
    { disciplina: { codigoDisciplina: 'MAT1', nomeDisciplina: 'Cálculo', cargaHoraria: [{ horaRelogio: '60' }] } },
    { estagio: { codigoUnidadeCurricular: 'EST', cargaHorariaEmHorasRelogio: [{ valor: '300.5' }] } },
    { atividadeComplementar: { codigoAtividadeComplementar: 'AC', tipoAtividadeComplementar: 'Monitoria' } },
  ])
})

test('what was typed already stays, and is not there twice', () => {
  const typed = { disciplina: { codigoDisciplina: 'MAT1', nota: '9.5' } }
  const all = withUnits([typed], curriculum)
  expect(all).toHaveLength(3)
  expect(all[0]).toBe(typed)
})
