// Units of a curriculum as entries of a transcript: code, name and hours are known, the rest is typed.
import { type Draft, valueAt } from '../parts/draft.ts'
import { isNode } from './form-data.ts'

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')

type Entry = (unit: Draft) => Draft

const entries: Readonly<Record<string, Entry>> = {
  Estágio: ({ codigo, cargaHorariaEmHoraRelogio: hours }) => ({
    estagio: { codigoUnidadeCurricular: textOf(codigo), cargaHorariaEmHorasRelogio: [{ valor: textOf(hours) }] },
  }),
  'Atividade Complementar': ({ codigo, nome, cargaHorariaEmHoraRelogio: hours }) => ({
    atividadeComplementar: {
      codigoAtividadeComplementar: textOf(codigo),
      tipoAtividadeComplementar: textOf(nome),
      cargaHorariaEmHoraRelogio: [{ valor: textOf(hours) }],
    },
  }),
}

const subject: Entry = ({ codigo, nome, cargaHorariaEmHoraRelogio: hours }) => ({
  disciplina: {
    codigoDisciplina: textOf(codigo),
    nomeDisciplina: textOf(nome),
    periodoLetivo: '',
    cargaHoraria: [{ horaRelogio: textOf(hours) }],
    docentes: { docente: [{}] },
  },
})

const codeNames = ['codigoDisciplina', 'codigoUnidadeCurricular', 'codigoAtividadeComplementar']

const codeIn = (entry: unknown): string => {
  const part = Object.values(isNode(entry) ? entry : {})[0]
  return isNode(part) ? (codeNames.map((name) => textOf(part[name])).find((code) => code !== '') ?? '') : ''
}

/** The entries of a transcript with those of a curriculum behind them; units that are there already stay as they are. */
export function withUnits(former: readonly unknown[], curriculum: Draft): readonly unknown[] {
  const known = new Set(former.map(codeIn))
  const units = valueAt(curriculum, 'infEstruturaCurricular.unidadeCurricular')
  const added = (Array.isArray(units) ? units.filter(isNode) : [])
    .filter(({ codigo }) => !known.has(textOf(codigo)))
    .map((unit) => (entries[textOf(unit.tipo)] ?? subject)(unit))
  return [...former, ...added]
}
