import type { Discipline, TranscriptData } from '../representations/contents/transcript-shapes.ts'
import { badge, type CredentialInput, courseId, courseParts, profileOf } from './badge.ts'

/** The transcript as a credential: the course with a result for each discipline. */
export function transcriptCredential(input: CredentialInput<TranscriptData>) {
  const { data, publicUrl, pageUrl } = input
  const { historicoEscolar, iesEmissora, dadosCurso } = data
  const taken = historicoEscolar.elementosHistorico.flatMap(({ disciplina }) => disciplina ?? [])
  // The same discipline may have been taken twice: each time has an entry of its own.
  const entries = taken.map((discipline, at) => ({ id: `${pageUrl}#resultado-${at + 1}`, discipline }))
  return badge(input, {
    name: `Histórico escolar de ${dadosCurso.nomeCurso}`,
    document: 'histórico escolar digital',
    issuer: iesEmissora,
    person: data.aluno,
    start: new Date(`${historicoEscolar.dataEmissaoHistorico.slice(0, 10)}T00:00:00Z`),
    subject: {
      achievement: {
        id: `${courseId(dadosCurso, publicUrl)}/historico`,
        type: ['Achievement'],
        achievementType: 'LearningProgram',
        name: dadosCurso.nomeCurso,
        description: `Unidades curriculares cursadas em ${dadosCurso.nomeCurso} na instituição ${iesEmissora.nome}.`,
        criteria: { narrative: 'Registro das unidades curriculares do estudante, conforme o currículo do curso.' },
        creator: profileOf(iesEmissora, input),
        ...courseParts(dadosCurso),
        resultDescription: entries.map(({ id, discipline }) => ({ id, ...describedResult(discipline) })),
      },
      result: entries.map(({ id, discipline }) => ({ ...resultOf(discipline), resultDescription: id })),
    },
  })
}

function describedResult(discipline: Discipline) {
  const { codigoDisciplina, nomeDisciplina, periodoLetivo } = discipline
  const code = codigoDisciplina === undefined ? '' : `${codigoDisciplina} `
  const [resultType, bounds] = scaleOf(discipline)
  return { type: ['ResultDescription'], name: `${code}${nomeDisciplina} (${periodoLetivo})`, resultType, ...bounds }
}

/** How a grade is meant. */
function scaleOf({ nota, notaAteCem, ...concepts }: Discipline): readonly [type: string, bounds: object] {
  if (nota !== undefined) return ['RawScore', { valueMin: '0', valueMax: '10' }]
  if (notaAteCem !== undefined) return ['RawScore', { valueMin: '0', valueMax: '100' }]
  return [gradeOf(concepts) === undefined ? 'Status' : 'LetterGrade', {}]
}

const gradeOf = (
  d: Pick<Discipline, 'nota' | 'notaAteCem' | 'conceito' | 'conceitoRM' | 'conceitoEspecificoDoCurso'>,
) => d.nota ?? d.notaAteCem ?? d.conceito ?? d.conceitoRM ?? d.conceitoEspecificoDoCurso

function resultOf(discipline: Discipline) {
  const grade = gradeOf(discipline)
  return { type: ['Result'], status: outcomeOf(discipline), ...(grade !== undefined && { value: String(grade) }) }
}

function outcomeOf({ aprovado, reprovado }: Discipline): string {
  if (aprovado !== undefined) return 'Completed'
  return reprovado === undefined ? 'InProgress' : 'Failed'
}
